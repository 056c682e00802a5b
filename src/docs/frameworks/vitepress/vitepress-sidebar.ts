import type { Literal, Script } from '../../formats/javascript.ts';
import { joinPath } from '../../tree.ts';
import { pageAddress } from '../addresses.ts';
import type { NavigationEntry } from '../site-rules.ts';

/**
 * The links of a sidebar or a menu. A `base` of an object around a link is joined in front of it, and may end inside of a file's name; where
 * the base comes from the caller of a function, any base of the file may. https://vitepress.dev/reference/default-theme-sidebar
 */
export function listSidebarEntries({ strings }: Script, file: string): NavigationEntry[] {
  const withText = new Set(strings.filter(({ keys }) => keys.at(-1) === 'text').map(({ objects }) => objects.at(-1)));
  const bases = strings.filter(({ keys }) => keys.at(-1) === 'base' && keys.length > 1);
  return strings
    .filter(({ keys, objects }) => keys.at(-1) === 'link' && withText.has(objects.at(-1)))
    .filter(({ value }) => value !== '' && !/^[a-z][a-z\d+.-]*:|^\/\//i.test(value))
    .map((link) => {
      const path = link.value.replace(/[?#].*/, '');
      return {
        target: path,
        means: listMeanings(path, orderBases(link, bases)).map((each) => pageAddress(each.replace(/\.html$/, ''))),
        file,
        line: link.line,
        start: link.start,
        end: link.end - (link.value.length - path.length),
        isCode: true,
      };
    });
}

/** Folders of pages by their addresses: which sidebar they have, what is in front of its links, which menu is marked on them. */
export const listPrefixes = ({ strings, names }: Script, file: string, folders: readonly string[]): NavigationEntry[] =>
  [...names, ...strings.filter(({ keys }) => /^(?:base|activeMatch)$/.test(keys.at(-1) ?? '') && keys.length > 1)]
    .filter(({ value }) => /^\/[\w./-]+\/$/.test(value))
    .map(({ value, line, start, end }) => ({
      target: value,
      means: folders.map((folder) => `${joinPath(folder, value)}/`),
      file,
      line,
      start,
      end,
      isCode: true,
    }));

const listMeanings = (path: string, bases: readonly string[]): string[] =>
  path.startsWith('/') ? [path] : [...bases.map((base) => base + path), path];

/** The nearest around the link first. */
const orderBases = ({ objects }: Literal, bases: readonly Literal[]): string[] => {
  const around = bases.filter((base) => objects.includes(base.objects.at(-1) ?? -1));
  const others = bases.filter((base) => !around.includes(base));
  return [...around.toReversed(), ...others].map(({ value }) => value);
};
