import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** From https://man7.org/linux/man-pages/man5/proc_pid_status.5.html; sizes in bytes. */
export async function readProcess(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const read = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
  return {
    rss: read('VmRSS'),
    peakRss: read('VmHWM'),
    files: (await readdir(`/proc/${pid}/fd`)).length,
  };
}

export const toMb = (bytes: number) => bytes / 1024 ** 2;
export const formatMb = (bytes: number) => `${toMb(bytes).toFixed(0)} MB`;

/** Counts all files below a folder. Skips files that disappear meanwhile; a missing folder has none. */
export async function measureBytes(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += found?.size ?? 0;
  }
  return bytes;
}
