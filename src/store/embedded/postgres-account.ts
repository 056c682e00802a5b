import { stat } from 'node:fs/promises';
import { createPostgresCommand, type PostgresAccount } from './postgres-command.ts';
import type { PostgresPrograms } from './postgres-programs.ts';

// The account `nobody` has this number on all distributions; initdb needs one that /etc/passwd knows.
const nobody = { uid: 65534, gid: 65534 };

/**
 * Decides who runs the server, and finds the major version of its programs on the way. PostgreSQL refuses root, so:
 *
 * - an ordinary user runs it directly, and only on a cluster of its own;
 * - root runs it in a user namespace where root is called `nobody`: files stay root's, so it works below folders that only root may enter,
 *   and every later root process may signal and connect to it, for outside of the namespace it is root's;
 * - where namespaces are refused (most containers), root runs it as the account `nobody`, which must be able to reach the folder;
 * - a cluster that exists is run as whoever owns it.
 *
 * Throws when no way works. `directory` exists; `cluster` may not.
 */
export async function choosePostgresAccount({
  programs,
  directory,
  cluster,
}: {
  programs: PostgresPrograms;
  directory: string;
  cluster: string;
}): Promise<{ account: PostgresAccount; majorVersion: string }> {
  const owner = await findOwner(cluster);
  const self = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
  const failures: string[] = [];
  for (const account of listPossibleAccounts({ self, owner, cluster })) {
    const run = createPostgresCommand({ programs, account, directory });
    try {
      const { exitCode, output, errors } = await run('postgres', ['--version']);
      const [majorVersion] = output.match(/\d+/) ?? [];
      if (exitCode === 0 && majorVersion) return { account, majorVersion };
      failures.push(errors);
    } catch (error) {
      // No unshare here, or PostgreSQL lies where the account cannot go: this way is closed, the next may be open.
      failures.push(String(error));
    }
  }
  const role = self.uid === 0 ? 'as an account other than root' : 'as this account';
  throw new Error(`could not run PostgreSQL ${role}: ${failures.join('; ')}`);
}

interface Owner {
  uid: number;
  gid: number;
}

/**
 * The ways to try for a process of `self`, in this order. `owner` has the cluster, undefined when there is none yet. Throws for an ordinary
 * user on somebody else's cluster.
 */
export function listPossibleAccounts({
  self,
  owner,
  cluster,
}: {
  self: Owner;
  owner: Owner | undefined;
  cluster: string;
}): PostgresAccount[] {
  if (owner && self.uid !== 0 && owner.uid !== self.uid) {
    throw new Error(
      `${cluster} belongs to another account (uid ${owner.uid}): run as that account, or set DATA_DIR to another folder`,
    );
  }
  if (self.uid !== 0) return [{ owner: self, prefix: [] }];
  const inNamespace = {
    owner: self,
    prefix: ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`],
  };
  if (!owner) return [inNamespace, { owner: nobody, prefix: [] }];
  return owner.uid === 0 ? [inNamespace] : [{ owner, prefix: [] }];
}

async function findOwner(cluster: string): Promise<Owner | undefined> {
  try {
    const { uid, gid } = await stat(cluster);
    return { uid, gid };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Error(`could not look at ${cluster}`, { cause: error });
  }
}
