import { isMarkdown } from '../../page-extensions.ts';
import { type FileTree, folderOf, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress, withoutIndex } from '../addresses.ts';
import { isScript } from '../scripts.ts';

interface NextRoutes {
  /**
   * Whether a route that is code answers: `[name]` matches any one name, but not below `contents`, the addresses whose routes serve
   * pages. Catch-all routes such as `[...rest]` do not count.
   */
  has(address: string, contents?: readonly string[]): boolean;
  /** The addresses at which catch-all routes serve content, without languages: `app/docs/[[...path]]` is `/docs`. */
  catchAlls: string[];
}

/** Folders in brackets group pages and do not show in addresses. https://nextjs.org/docs/app/api-reference/file-conventions/route-groups */
export const withoutGroups = (path: string): string =>
  path
    .split('/')
    .filter((name) => !/^[(@].*$/.test(name))
    .join('/');

/** The routes of an app, and of a `pages` folder. */
export function readNextRoutes(tree: FileTree, root: string): NextRoutes {
  const below = (names: readonly string[]) => names.map((name) => joinPath(root, name) ?? '');
  const app = below(['app', 'src/app']).flatMap((folder) =>
    tree
      .below(folder)
      .filter((path) => isScript(path) && /^(?:page|route)\./.test(nameOf(path)))
      .map((path) => withoutGroups(relativeTo(folderOf(path), folder))),
  );
  const pages = below(['pages', 'src/pages']).flatMap((folder) =>
    tree
      .below(folder)
      .filter((path) => isScript(path) && !isMarkdown(path) && !nameOf(path).startsWith('_'))
      .map((path) => withoutIndex(relativeTo(path, folder).replace(/\.\w+$/, ''))),
  );
  const routes = [...app, ...pages].map(withoutLanguage);
  const exact = new Set(routes.filter((route) => !route.includes('[')).map((route) => toAddress(route)));
  const dynamic = routes
    .filter((route) => /\[[^.[\]]+\]/.test(route) && !route.includes('...'))
    .map((route) => toAddress(route));
  return {
    has: (address, contents = []) =>
      exact.has(address) ||
      dynamic.some((route) => matches(address, route) && !contents.includes(`/${folderOf(route.slice(1))}`)),
    catchAlls: routes
      .filter((route) => route.includes('[[...') || route.includes('[...'))
      .map((route) => toAddress(route.replace(/\/?\[{1,2}\.\.\..*/, ''))),
  };
}

const withoutLanguage = (route: string) => route.replace(/^\[(?:lang|locale|language)\](?:\/|$)/, '');

const matches = (address: string, route: string): boolean => {
  const [asked, names] = [address.split('/'), route.split('/')];
  return names.length === asked.length && names.every((name, index) => name.startsWith('[') || name === asked[index]);
};
