import { expandBraces } from '../../glob.ts';
import type { FileSelection } from '../../workspace/pathspecs.ts';

/** A path without what a shell would add: `./guides/` is `guides`. */
export const plainPath = (path: string): string =>
  path
    .replace(/^(?:\.\/+)+(?=.)/, '')
    .replace(/^\/+$/, '/')
    .replace(/([^/])\/+$/, '$1');

/** Takes a path with the marks of a glob for one, unless a file or folder has that name. The paths in braces may be folders. */
export function splitGlob<Selection extends FileSelection>(selection: Selection, files: readonly string[]): Selection {
  const path = selection.path?.replace(/^(?:\.?\/)+/, '') ?? '';
  const isFolder = (name: string) => files.some((file) => file.startsWith(`${name}/`));
  if (selection.glob !== undefined || !/[*?{]/.test(path) || files.includes(path) || isFolder(path)) return selection;
  const folder = /^(?:[^*?{]*\/)?/.exec(path)?.[0] ?? '';
  const paths = /[*?]/.test(path) ? [] : (expandBraces(path) ?? []);
  const inside = paths.map((each) => (isFolder(each) ? `${each}/**` : each).slice(folder.length));
  const glob = paths.some(isFolder) ? `${folder}{${inside.join(',')}}` : path;
  return { ...selection, path: folder === '' ? undefined : folder.slice(0, -1), glob };
}
