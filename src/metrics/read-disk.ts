import { statfs } from 'node:fs/promises';

/** The file system that a directory lies on, in bytes; undefined where that cannot be told, as before the directory is made. */
export async function readDisk(directory: string): Promise<{ size: number; free: number } | undefined> {
  try {
    const { bsize, blocks, bavail } = await statfs(directory);
    return { size: blocks * bsize, free: bavail * bsize };
  } catch {
    return undefined;
  }
}
