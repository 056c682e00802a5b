import type { Slug } from '../pages/slugs.ts';
import type { Framework } from '../sites/framework.ts';
import { folderOf, isBelow, joinPath } from '../tree.ts';
import { listLiterals } from './javascript.ts';
import { findFolders, isMarkdown, plainRules, withoutExtension, withoutIndex } from './plain.ts';

const configuration = /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/;

/** https://vitepress.dev/guide/routing */
export const vitepress: Framework = {
  name: 'VitePress',
  findRoots: ({ paths }) =>
    findFolders(paths, configuration).map((folder) => folderOf(folder.replace(/\/config$/, ''))),
  open(tree, root) {
    const file = [...tree.paths].find(
      (path) => configuration.test(path) && isBelow(path, joinPath(root, '.vitepress') ?? ''),
    );
    const literals = listLiterals(tree.read(file ?? '') ?? '');
    const source = literals.find(({ keys }) => keys.at(-1) === 'srcDir')?.value ?? '.';
    const folder = joinPath(root, source) ?? root;
    const rewrites = literals
      .filter(({ keys }) => keys.at(-2) === 'rewrites')
      .map(({ keys, value }) => [keys.at(-1) ?? '', value] as const);
    return {
      ...plainRules(root),
      isPage: (path) => isMarkdown(path) && isBelow(path, folder) && !isBelow(path, joinPath(root, '.vitepress') ?? ''),
      isMdx: () => false,
      addressesOf(path) {
        const below = folder === '' ? path : path.slice(folder.length + 1);
        return [...new Set([rewrite(below, rewrites), below])].map(toAddress);
      },
      staticFolders: [joinPath(folder, 'public') ?? ''],
      linkRoots: [folder],
      relativeLinks: 'both',
      areAbsoluteLinksChecked: true,
      slug,
    };
  },
};

const toAddress = (path: string) => `/${withoutIndex(withoutExtension(path))}`;

/** `en/:rest*` → `:rest*`: https://vitepress.dev/guide/routing#route-rewrites */
function rewrite(path: string, rewrites: readonly (readonly [from: string, to: string])[]): string {
  for (const [from, to] of rewrites) {
    const prefix = /^([^:*]*):[\w]+\*?$/.exec(from)?.[1];
    const target = /^([^:*]*):[\w]+\*?$/.exec(to)?.[1];
    if (prefix !== undefined && target !== undefined && path.startsWith(prefix))
      return target + path.slice(prefix.length);
    if (from === path) return to;
  }
  return path;
}

/** https://github.com/mdit-vue/mdit-vue/tree/main/packages/shared */
const slug: Slug = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/\p{Cc}]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase();
