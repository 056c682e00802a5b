import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoreMissing } from './ignore-missing.ts';
import { uniqueName } from './unique-name.ts';

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
