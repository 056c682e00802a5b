import type { SiteRules } from '../frameworks/site-rules.ts';
import { type FileTree, folderOf } from '../tree.ts';

const script = /\.sh$|(?:^|\/)(?:Makefile|package\.json)$|^\.github\/workflows\/[^/]+\.ya?ml$/;

/** Whether a build makes a file: git ignores it, or a script of the repository names a folder above it that is not there. */
export function createMadeTest(tree: FileTree, rules: SiteRules): (path: string) => boolean {
  let text: string | undefined;
  const known = new Map<string, boolean>();
  const isNamed = (folder: string): boolean => {
    if (!folder.includes('/') || tree.hasFolder(folder)) return false;
    text ??= [...tree.paths]
      .filter((path) => script.test(path))
      .map((path) => tree.read(path) ?? '')
      .join('\n');
    const found = known.get(folder) ?? (text.includes(folder) || isNamed(folderOf(folder)));
    known.set(folder, found);
    return found;
  };
  return (path) => rules.isMade?.(path) === true || tree.isIgnored(path) || isNamed(folderOf(path));
}
