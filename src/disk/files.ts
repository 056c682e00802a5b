import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** For `catch`: undefined for a file or folder that does not exist, the error again for anything else. */
export function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    return undefined;
  }
  throw error;
}

/** Whether there is a file or folder of this name; throws when that cannot be told. */
export const exists = async (path: string): Promise<boolean> => (await stat(path).catch(ignoreMissing)) !== undefined;

const dayMs = 24 * 60 * 60 * 1000;
const shape = String.raw`(\d{13})-[0-9a-f]{8}`;
const somewhere = new RegExp(shape);
const atTheEnd = new RegExp(`${shape}$`);

/** A name that nobody else makes and that tells when it was made. */
export const uniqueName = (): string => `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`;

/** Whether a name ends with a `uniqueName`: one that does not was made by somebody else. */
export const hasUniqueEnd = (name: string): boolean => atTheEnd.test(name);

/** Whether a path with a `uniqueName` in it was made more than a day ago: no run lasts that long. */
export function isOlderThanADay(path: string): boolean {
  const madeAt = somewhere.exec(path)?.[1];
  return madeAt !== undefined && Number(madeAt) < Date.now() - dayMs;
}

const prefix = '.old-';

/**
 * Removes a folder, if it is there. It disappears by one rename within its parent, so that nobody comes upon half of it; what a process
 * that died meanwhile left there is told by `isAside`.
 */
export async function removeAside(path: string): Promise<void> {
  const doomed = join(dirname(path), `${prefix}${uniqueName()}`);
  await rename(path, doomed).catch(ignoreMissing);
  await rm(doomed, { recursive: true, force: true });
}

/** Whether a folder of this name is one that somebody began to remove: it is nobody's any more. */
export const isAside = (name: string): boolean => name.startsWith(prefix);
