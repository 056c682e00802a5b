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

/** `/proc` counts in hundredths of a second on every Linux that Node runs on. */
const tickMs = 10;

interface Stat {
  pid: number;
  parent: number;
  /** Its own, and of children that have ended. */
  usedMs: number;
}

/** Processor time of a process and of all below it, in milliseconds: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
export async function readProcessorTime(roots: readonly number[]): Promise<number> {
  return (await readFamily(roots)).reduce((sum, { usedMs }) => sum + usedMs, 0);
}

/** In bytes, of a process and of all below it. What they share counts for each. */
export async function readFamilyMemory(root: number): Promise<number> {
  const read = ({ pid }: Stat) =>
    readProcess(pid).then(
      ({ rss }) => rss || 0,
      () => 0,
    );
  return (await Promise.all((await readFamily([root])).map(read))).reduce((sum, bytes) => sum + bytes, 0);
}

async function readFamily(roots: readonly number[]): Promise<Stat[]> {
  const found = await Promise.all((await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(readStat));
  const stats = found.filter((stat) => stat !== undefined);
  const family = new Set(roots);
  // A child may be listed before its parent.
  for (let size = -1; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of stats) if (family.has(parent)) family.add(pid);
  }
  return stats.filter(({ pid }) => family.has(pid));
}

/** Processor time that nobody used, of all processors together, in milliseconds: https://man7.org/linux/man-pages/man5/proc_stat.5.html */
export async function readIdleTime(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [, , , , idle = 0, waiting = 0] = line.split(/ +/).map(Number);
  return (idle + waiting) * tickMs;
}

/** Processor time of a process without its children, in milliseconds; `loop`: of its first thread, in which Node.js runs JavaScript. */
export async function readOwnTime(pid: number): Promise<{ all: number; loop: number }> {
  const read = async (path: string) => sumTicks(splitStat(await readFile(path, 'utf8')).slice(11, 13));
  const [all, loop] = await Promise.all([read(`/proc/${pid}/stat`), read(`/proc/${pid}/task/${pid}/stat`)]);
  return { all, loop };
}

const splitStat = (text: string) =>
  text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
const sumTicks = (ticks: readonly number[]) => tickMs * ticks.reduce((sum, value) => sum + value, 0);

async function readStat(pid: string): Promise<Stat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = splitStat(text);
  const [, parent = 0] = fields;
  return { pid: Number(pid), parent, usedMs: sumTicks(fields.slice(11, 15)) };
}
