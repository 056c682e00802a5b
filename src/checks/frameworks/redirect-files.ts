import { parse } from 'smol-toml';
import { type FileTree, joinPath } from '../tree.ts';
import { parseJsonTree } from './json.ts';

/** The addresses that the host redirects: Netlify's and Vercel's files, at the site's root or the repository's. */
export const readRedirectSources = (tree: FileTree, root: string): string[] =>
  [...new Set([root, ''])].flatMap((folder) => [
    ...readNetlify(tree.read(joinPath(folder, 'netlify.toml') ?? '')),
    ...['_redirects', 'static/_redirects', 'public/_redirects'].flatMap((name) =>
      readLines(tree.read(joinPath(folder, name) ?? '')),
    ),
    ...readVercel(tree.read(joinPath(folder, 'vercel.json') ?? '')),
  ]);

/** https://docs.netlify.com/manage/routing/redirects/overview/ */
function readNetlify(text: string | undefined): string[] {
  if (text === undefined) return [];
  try {
    const { redirects } = parse(text);
    return Array.isArray(redirects) ? redirects.flatMap((redirect) => readString(redirect, 'from')) : [];
  } catch {
    return [];
  }
}

const readLines = (text: string | undefined): string[] =>
  (text ?? '').split('\n').flatMap((line) => /^\s*(\/\S*)\s+\S/.exec(line)?.[1] ?? []);

/** https://vercel.com/docs/project-configuration */
function readVercel(text: string | undefined): string[] {
  const { root } = parseJsonTree(text ?? '', { isLenient: true });
  const lists = (root?.children ?? []).filter(({ children }) =>
    ['redirects', 'rewrites'].includes(String(children?.[0]?.value)),
  );
  return lists
    .flatMap(({ children }) => children?.[1]?.children ?? [])
    .flatMap(({ children }) => children ?? [])
    .flatMap(({ children }) => (children?.[0]?.value === 'source' ? String(children[1]?.value) : []));
}

const readString = (value: unknown, key: string): string[] => {
  const found =
    typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined;
  return typeof found === 'string' ? [found] : [];
};
