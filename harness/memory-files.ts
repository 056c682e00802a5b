import { createHash } from 'node:crypto';
import { isProse } from '../src/docs/page-extensions.ts';
import { type BaseFiles, type FileState, includeWords } from '../src/policy/base-files.ts';

/** The text of a file, or a file that is not text, or one with another mode. */
export type FileEntry = string | Uint8Array | { text: string; isExecutable: boolean };
export type Files = Readonly<Record<string, FileEntry>>;

const including = new RegExp(includeWords, 'i');

/** The tree of a repository without a repository. */
export function createBase(files: Files): BaseFiles {
  const states = new Map(Object.entries(files).map(([path, entry]) => [path, readState(entry)]));
  return {
    files: states,
    readTexts: async (paths) =>
      new Map(
        Array.from(paths)
          .flatMap((path) => [[path, states.get(path)?.text ?? null] as const])
          .filter(isText),
      ),
    findPages: async (text) =>
      [...states].flatMap(([path, state]) =>
        isProse(path) && state.text?.toLowerCase().includes(text.toLowerCase()) ? [path] : [],
      ),
    findOthers: async (text) =>
      [...states].flatMap(([path, state]) => (!isProse(path) && state.text?.includes(text) ? [path] : [])),
    listIncludes: async () =>
      [...states].flatMap(([path, { text }]) =>
        isProse(path) ? (text ?? '').split('\n').flatMap((line) => (including.test(line) ? [{ path, line }] : [])) : [],
      ),
  };
}

const isText = (entry: readonly [string, string | null]): entry is [string, string] => entry[1] !== null;

export function readState(entry: FileEntry): FileState {
  const { text, isExecutable } =
    typeof entry === 'string'
      ? { text: entry, isExecutable: false }
      : entry instanceof Uint8Array
        ? { text: null, isExecutable: false }
        : entry;
  const bytes = text === null && entry instanceof Uint8Array ? entry : Buffer.from(text ?? '');
  return { text, isExecutable, bytes: bytes.length, sha: createHash('sha1').update(bytes).digest('hex') };
}
