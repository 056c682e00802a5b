import type { RunTask, ThreadTask } from '../../threads/threads.ts';
import { describeClasses } from '../../workspace/pathspecs.ts';
import { plainPath } from '../paths/plain-path.ts';
import { cutLine } from './limits.ts';

interface Missing {
  path: string;
  files: readonly string[];
  /** A folder is wanted as well. */
  orFolder?: boolean;
}

const maxSuggestions = 5;
const maxEchoCharacters = 200;
const maxSmallFiles = 2_000;

export const missingTask: ThreadTask<Missing, string> = {
  module: import.meta.url,
  work: describeMissing,
  isSmall: ({ files }) => files.length <= maxSmallFiles,
};

/** Says that a path does not exist, and suggests files with the same name, in other folders or with another extension. */
export function describeMissing({ path, files, orFolder = false }: Missing): string {
  const folders = orFolder ? new Set(files.flatMap(listParents)) : [];
  const suggestions = suggestPaths(plainPath(path), [...folders, ...files]);
  const hint =
    suggestions.length > 0 ? `did you mean ${suggestions.join(' or ')}?` : 'call list_files to see all files';
  const shown = cutLine(path, maxEchoCharacters);
  return `there is no file ${orFolder ? 'or folder ' : ''}${shown}; ${hint}${orFolder ? describeClasses(path) : ''}`;
}

function suggestPaths(path: string, files: readonly string[]): string[] {
  const target = { name: nameOf(path), stem: stemOf(path) };
  const sameName = files.filter((file) => nameOf(file) === target.name);
  const sameStem = files.filter((file) => stemOf(file) === target.stem);
  const same = files.filter((file) => file.toLowerCase() === path.toLowerCase());
  const found = [same, sameName, sameStem].find(({ length }) => length > 0) ?? [];
  return found.toSorted((a, b) => countSharedFolders(b, path) - countSharedFolders(a, path)).slice(0, maxSuggestions);
}

/** How many folders right above both have the same names. */
function countSharedFolders(path: string, other: string): number {
  const folders = path.toLowerCase().split('/').slice(0, -1).toReversed();
  const others = other.toLowerCase().split('/').slice(0, -1).toReversed();
  const shared = folders.findIndex((folder, at) => folder !== others[at]);
  return shared === -1 ? folders.length : shared;
}

/** Undefined: there is a file or folder at the path, or it is the root. */
export async function describeNoPath(
  path: string | undefined,
  { files, runTask }: { files: readonly string[]; runTask: RunTask },
  signal: AbortSignal,
): Promise<string | undefined> {
  const plain = plainPath(path ?? '').replace(/^\.?\/*$/, '');
  if (plain === '' || files.some((file) => file === plain || file.startsWith(`${plain}/`))) return undefined;
  return runTask(missingTask, { path: plain, files, orFolder: true }, signal);
}

const listParents = (path: string): string[] =>
  path.split('/').flatMap((_, index, names) => (index === 0 ? [] : names.slice(0, index).join('/')));
const nameOf = (path: string): string => (path.split('/').at(-1) ?? path).normalize('NFC').toLowerCase();
const stemOf = (path: string): string => nameOf(path).replace(/\.[^.]*$/, '');

/** For the model, if the documentation could not be read in time; the log has the reason. `other`: a tool that works. */
export const describeUnread = (other: string): string =>
  `the documentation sites of this repository could not be read; use ${other} instead`;
