import { createHash } from 'node:crypto';
import { chown, lstat, mkdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { hasCode } from '../../errors.ts';
import { createPostgresCommand, type PostgresAccount, type PostgresPrograms } from './programs.ts';

// initdb requires an account with a name; all distributions have `nobody`.
const nobody = { uid: 65534, gid: 65534 };

/**
 * PostgreSQL refuses to run as root. Root runs it in a user namespace that maps root to `nobody`, so folders that only root can enter work;
 * without user namespaces (most containers), as `nobody`. A user id without a name creates its cluster in such a namespace, too. An existing
 * cluster runs as its owner. Throws if no account works.
 */
export async function choosePostgresAccount(options: {
  programs: PostgresPrograms;
  directory: string;
  cluster: string;
}): Promise<{ account: PostgresAccount; majorVersion: string }> {
  const { programs, directory, cluster } = options;
  const owner = await findOwner(cluster);
  const self = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const failures: string[] = [];
  for (const account of listPossibleAccounts({ self, owner, cluster, hasName: hasName() })) {
    const run = createPostgresCommand({ programs, account, directory });
    try {
      const { exitCode, output, errors } = await run('postgres', ['--version']);
      const [majorVersion] = output.match(/\d+/) ?? [];
      if (exitCode === 0 && majorVersion) return { account, majorVersion };
      failures.push(errors);
    } catch (error) {
      // No unshare, or the account cannot reach PostgreSQL; the next account may work.
      failures.push(String(error));
    }
  }
  const role = self.uid === 0 ? 'as an account other than root' : 'as this account';
  const text = `could not run PostgreSQL ${role}: ${failures.join('; ')}`;
  // An install script of the package links them.
  const isUnlinked = text.includes('loading shared libraries');
  throw new Error(isUnlinked ? `${text}; if npm ran no install scripts: npm rebuild --ignore-scripts=false` : text);
}

interface Owner {
  uid: number;
  gid: number;
}

/** Returns the accounts in the order to try. Throws if `self` is not root and the cluster belongs to another user. */
export function listPossibleAccounts(options: {
  self: Owner;
  owner: Owner | undefined;
  cluster: string;
  /** Whether the machine knows a name of `self`. */
  hasName: boolean;
}): PostgresAccount[] {
  const { self, owner, cluster, hasName } = options;
  if (owner && self.uid !== 0 && owner.uid !== self.uid) {
    throw new Error(
      `${cluster} belongs to another account (uid ${owner.uid}): run as that account, or set DATA_DIR to another folder`,
    );
  }
  const inNamespace = {
    owner: self,
    prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`],
  };
  if (self.uid !== 0) {
    const plain = { owner: self, prefix: [] };
    return owner || hasName ? [plain] : [inNamespace, plain];
  }
  if (!owner) return [inNamespace, { owner: nobody, prefix: [] }];
  return owner.uid === 0 ? [inNamespace] : [{ owner, prefix: [] }];
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

async function findOwner(cluster: string): Promise<Owner | undefined> {
  try {
    const { uid, gid } = await stat(cluster);
    return { uid, gid };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Error(`could not stat ${cluster}`, { cause: error });
  }
}

// A socket’s address has 104 bytes on macOS, with NUL: https://man.freebsd.org/cgi/man.cgi?query=unix&sektion=4
const maxBytes = 103 - '/.s.PGSQL.5432'.length;

/** The cluster’s folder. If its path is too long or needs quoting, a folder in /tmp: TMPDIR differs between processes. */
export async function ensureSocketDirectory(request: { cluster: string; account: PostgresAccount }): Promise<string> {
  const { cluster, account } = request;
  if (isPlainSocketDirectory(cluster)) return cluster;
  const directory = `/tmp/pagewright-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  if (await makeDirectory(directory)) await chown(directory, account.owner.uid, account.owner.gid);
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== account.owner.uid || (found.mode & 0o077) !== 0)
    throw new Error(`${directory} must be a folder that only uid ${account.owner.uid} can enter: remove it`);
  return directory;
}

export function isPlainSocketDirectory(path: string): boolean {
  return /^[\w/.+@=-]+$/.test(path) && path.length <= maxBytes;
}

async function makeDirectory(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}
