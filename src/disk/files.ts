import { rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../errors.ts';

/** For `catch`: rethrows every other error. */
export function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}

export const exists = async (path: string): Promise<boolean> => (await stat(path).catch(ignoreMissing)) !== undefined;

const dayMs = 24 * 60 * 60 * 1000;
const shape = String.raw`(\d{13})-[0-9a-f]{8}`;
const somewhere = new RegExp(shape);
const atTheEnd = new RegExp(`${shape}$`);

export const uniqueName = (): string => `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`;

export const hasUniqueEnd = (name: string): boolean => atTheEnd.test(name);

/** No run lasts a day. */
export function isOlderThanADay(path: string): boolean {
  const madeAt = somewhere.exec(path)?.[1];
  return madeAt !== undefined && Number(madeAt) < Date.now() - dayMs;
}

const prefix = '.old-';

/** Removes a folder by one rename: nobody sees half of it. `isAside` recognizes what a killed process leaves. */
export async function removeAside(path: string): Promise<void> {
  const aside = join(dirname(path), `${prefix}${uniqueName()}`);
  await rename(path, aside).catch(ignoreMissing);
  await rm(aside, { recursive: true, force: true });
}

export const isAside = (name: string): boolean => name.startsWith(prefix);

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
