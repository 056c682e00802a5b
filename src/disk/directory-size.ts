import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ignoreMissing } from './files.ts';

const measureEveryMs = 500;

/** Files that disappear meanwhile do not count; a missing folder has 0 bytes. */
export async function measureDirectory(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  let bytes = 0;
  for (const entry of entries ?? []) {
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name)).catch(ignoreMissing))?.size ?? 0;
  }
  return bytes;
}

/** Aborts `work` with `tooLarge` when the folder exceeds `maxBytes`, and checks once more at the end. */
export async function withSizeLimit<Result>(options: {
  directory: string;
  maxBytes: number;
  tooLarge: () => Error;
  signal: AbortSignal;
  work: (signal: AbortSignal) => Promise<Result>;
}): Promise<Result> {
  const { directory, maxBytes, tooLarge, signal, work } = options;
  const limit = new AbortController();
  const done = new AbortController();
  const watch = async () => {
    for (;;) {
      // First, because most work ends sooner, and its end measures, too.
      await wait(measureEveryMs, undefined, { signal: done.signal }).catch(() => {});
      if (done.signal.aborted) return;
      if ((await measureDirectory(directory)) > maxBytes) return limit.abort(tooLarge());
    }
  };
  // A failing watch ends the work.
  const watching = watch().catch((error) => limit.abort(error));
  try {
    const result = await work(AbortSignal.any([signal, limit.signal]));
    if ((await measureDirectory(directory)) > maxBytes) throw tooLarge();
    return result;
  } finally {
    done.abort();
    await watching;
  }
}
