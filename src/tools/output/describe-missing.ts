import type { ThreadTask } from '../../threads/threads.ts';

interface Missing {
  path: string;
  files: readonly string[];
}

const maxSuggestions = 5;
const maxSmallFiles = 2_000;

export const missingTask: ThreadTask<Missing, string> = {
  module: import.meta.url,
  work: describeMissing,
  isSmall: ({ files }) => files.length <= maxSmallFiles,
};

/** Says that a path does not exist, and suggests files with the same name, in other folders or with another extension. */
export function describeMissing({ path, files }: Missing): string {
  const suggestions = suggestPaths(path, files);
  const hint =
    suggestions.length > 0 ? `did you mean ${suggestions.join(' or ')}?` : 'call list_files to see all files';
  return `there is no file ${path}; ${hint}`;
}

function suggestPaths(path: string, files: readonly string[]): string[] {
  const target = { name: nameOf(path), stem: stemOf(path) };
  const sameName = files.filter((file) => nameOf(file) === target.name);
  const sameStem = files.filter((file) => stemOf(file) === target.stem);
  return (sameName.length > 0 ? sameName : sameStem).slice(0, maxSuggestions);
}

const nameOf = (path: string): string => (path.split('/').at(-1) ?? path).normalize('NFC').toLowerCase();
const stemOf = (path: string): string => nameOf(path).replace(/\.[^.]*$/, '');
