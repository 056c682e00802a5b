import { statfs } from 'node:fs/promises';
import { hasCode } from '../errors.ts';

/** With less, no repository fits, and git and an embedded database fail soon. */
export const leastFreeBytes = 100 * 1024 ** 2;

export async function readFreeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

const sqliteFull = 13;

/** Whether an error, or one of its causes, says that a local disk, or what the user may use of it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isFull = hasCode(error, 'ENOSPC', 'EDQUOT') || ('errcode' in error && error.errcode === sqliteFull);
  return isFull || isDiskFull(error.cause);
}
