import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { realTiming } from '../timing.ts';
import { ignoreMissing } from './files.ts';

/** The bytes of all files below a folder. What disappears meanwhile counts nothing; a missing folder is 0. */
export async function measureDirectory(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  let bytes = 0;
  for (const entry of entries ?? []) {
    if (entry.isFile()) {
      bytes += (await lstat(join(entry.parentPath, entry.name)).catch(ignoreMissing))?.size ?? 0;
    }
  }
  return bytes;
}

/**
 * Does work that fills a folder, and stops it with the error of `tooLarge` as soon as the folder holds more than `maxBytes`; also when the
 * work ended before anybody looked.
 */
export async function withSizeLimit<Result>({
  directory,
  maxBytes,
  tooLarge,
  signal,
  work,
}: {
  directory: string;
  maxBytes: number;
  tooLarge: () => Error;
  signal: AbortSignal;
  work: (signal: AbortSignal) => Promise<Result>;
}): Promise<Result> {
  const limit = new AbortController();
  const done = new AbortController();
  const watch = async () => {
    while (!done.signal.aborted) {
      if ((await measureDirectory(directory)) > maxBytes) {
        limit.abort(tooLarge());
        return;
      }
      await wait(realTiming.git.measureEveryMs, undefined, { signal: done.signal }).catch(() => {});
    }
  };
  // What it meets ends the work as well: nobody else would hear of it.
  const watching = watch().catch((error) => limit.abort(error));
  try {
    const result = await work(AbortSignal.any([signal, limit.signal]));
    if ((await measureDirectory(directory)) > maxBytes) {
      throw tooLarge();
    }
    return result;
  } finally {
    done.abort();
    await watching;
  }
}
