import { expandBraces } from '../../glob.ts';
import type { FileSelection } from '../../workspace/pathspecs.ts';

/** Takes a path with the marks of a glob for one, unless a file or folder has that name. The paths in braces may be folders. */
export function splitGlob<Selection extends FileSelection>(selection: Selection, files: readonly string[]): Selection {
  const path = selection.path?.replace(/^(?:\.?\/)+/, '') ?? '';
  const isFolder = (name: string) => files.some((file) => file.startsWith(`${name}/`));
  if (selection.glob !== undefined || !/[*?{]/.test(path) || files.includes(path) || isFolder(path)) return selection;
  const names = path.split('/');
  const folder = names
    .slice(
      0,
      names.findIndex((name) => /[*?{]/.test(name)),
    )
    .join('/');
  const paths = /[*?]/.test(path) ? [] : (expandBraces(path) ?? []);
  const glob = paths.some(isFolder)
    ? `{${paths.map((each) => (isFolder(each) ? `${each}/**` : each)).join(',')}}`
    : path;
  return { ...selection, path: folder === '' ? undefined : folder, glob };
}
