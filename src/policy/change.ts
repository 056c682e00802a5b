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

/**
 * Returns why a change may not be made, written for the model: the rule, and the way out. Runs when the model writes, and again on the tree
 * that is about to be published. Depends on the change alone, so that both agree.
 */
export type Guard = (change: Change) => string | undefined | Promise<string | undefined>;

/** Returns why a file may be neither listed, read nor searched, written for the model. `path` has passed `checkPath`. */
export type ReadGuard = (path: string) => string | undefined;
