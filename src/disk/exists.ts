import { stat } from 'node:fs/promises';
import { ignoreMissing } from './ignore-missing.ts';

/** Whether there is a file or folder of this name; throws when that cannot be told. */
export const exists = async (path: string): Promise<boolean> => (await stat(path).catch(ignoreMissing)) !== undefined;
