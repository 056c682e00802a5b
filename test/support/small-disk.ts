import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that a test may fill, or undefined where this user may mount none. */
export function mountSmallDisk({ megabytes }: { megabytes: number }) {
  const path = mkdtempSync(join(tmpdir(), 'pagewright-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  const filling = join(path, 'filling');
  return {
    path,
    /** Leaves less than a page free. */
    fill() {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filling, Buffer.alloc(bavail * bsize));
    },
    makeRoom: () => rm(filling),
    [Symbol.dispose]() {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true });
    },
  };
}
