import type { NavigationEntry } from '../frameworks/site-rules.ts';
import type { FileTree } from '../tree.ts';

/** An entry as its file has it: `target` begins with the folder that it is relative to. */
export function readWrittenEntry(
  tree: FileTree,
  { file, start, end, target }: NavigationEntry,
): { written: string; folder: string } {
  const written = tree.read(file)?.slice(start, end) ?? '';
  const isEnd = written !== '' && target.endsWith(written);
  return isEnd ? { written, folder: target.slice(0, -written.length) } : { written: target, folder: '' };
}
