import { createHash } from 'node:crypto';
import { chown, lstat, mkdir } from 'node:fs/promises';
import type { PostgresAccount } from './postgres-command.ts';

// The address of a socket has room for 104 bytes on macOS (108 on Linux) with the final NUL, and the server adds `/.s.PGSQL.5432`.
// https://man.freebsd.org/cgi/man.cgi?query=unix&sektion=4, https://man7.org/linux/man-pages/man7/unix.7.html
const maxBytes = 103 - '/.s.PGSQL.5432'.length;

/**
 * The folder of the server's socket: the cluster itself, or, when its path is too long or would need quoting on the server's command line,
 * a folder below /tmp named after it, which each process finds again by itself. (Not below TMPDIR: that differs between processes, and may
 * be long too.) Only the server's account may enter it; throws when the one below /tmp is somebody else's.
 */
export async function ensureSocketDirectory({
  cluster,
  account,
}: {
  cluster: string;
  account: PostgresAccount;
}): Promise<string> {
  if (isPlainSocketDirectory(cluster)) return cluster;
  const directory = `/tmp/pagewright-${createHash('sha256').update(cluster).digest('hex').slice(0, 16)}`;
  if (await makeDirectory(directory)) await chown(directory, account.owner.uid, account.owner.gid);
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== account.owner.uid || (found.mode & 0o077) !== 0) {
    throw new Error(`${directory} is not a folder that only uid ${account.owner.uid} may enter: remove it`);
  }
  return directory;
}

/** Whether a path is short and plain enough to be the socket's folder as it is. */
export function isPlainSocketDirectory(path: string): boolean {
  return /^[\w/.+@=-]+$/.test(path) && path.length <= maxBytes;
}

async function makeDirectory(directory: string): Promise<boolean> {
  try {
    await mkdir(directory, { mode: 0o700 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
