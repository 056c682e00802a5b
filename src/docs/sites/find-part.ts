import { type FileTree, folderOf, joinPath } from '../tree.ts';
import type { Site } from './open-sites.ts';

const extensions = ['mdx', 'md', 'ts', 'tsx', 'js', 'jsx', 'mjs', 'mts', 'cjs', 'json', 'vue', 'svelte', 'astro'];
const endings = ['', ...extensions.flatMap((extension) => [`.${extension}`, `/index.${extension}`])];

export function findPart(tree: FileTree, site: Site, from: string, part: string): string | undefined {
  const meaning = site.findPartMeaning?.(part, from);
  if (meaning !== undefined) return meaning.paths?.find((path) => tree.paths.has(path));
  const plain = part.replace(/^(?:@site|@docs|@|~)\//, '/');
  const folders = plain.startsWith('/') ? site.linkRoots : [folderOf(from), ...site.linkRoots];
  const bases = [...new Set([...folders, site.root, ''])].flatMap((folder) => joinPath(folder, plain) ?? []);
  for (const base of bases) {
    const ending = endings.find((each) => tree.paths.has(base + each));
    if (ending !== undefined) return base + ending;
  }
  return undefined;
}
