import type { BaseFiles } from './base-files.ts';

export interface FileState {
  /** null: not UTF-8 text, or too large to read. */
  text: string | null;
  bytes: number;
  /** The git object name of the bytes. */
  sha: string;
  isExecutable: boolean;
}

/** One file before and after a run: the sum of its writes. */
export interface Change {
  /** Has passed `checkPath`. */
  path: string;
  /** null: the base has no such file. */
  before: FileState | null;
  /** null: removed. */
  after: FileState | null;
  base: BaseFiles;
}
