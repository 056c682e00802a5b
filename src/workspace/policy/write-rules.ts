import { parentsOf } from '../../git/paths.ts';
import type { Tree } from '../../git/tree.ts';
import type { WriteSet } from '../write-set.ts';
import { compileFnmatch } from './fnmatch.ts';
import { compileGlob } from './glob.ts';
import { findProtection } from './protected-paths.ts';

/** What may be written in a repository, apart from what is protected everywhere. Nothing given: all the rest. */
export interface WriteRules {
  /** Globs from the repository's settings: only what matches one of them may be written. */
  allow?: readonly string[] | undefined;
  /** What GitHub's rules forbid. */
  forbid?: PushRestrictions | undefined;
}

/**
 * What GitHub refuses when it is pushed, from the rules of all rulesets together: the narrower of two limits, the lists joined.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets
 */
export interface PushRestrictions {
  /** `file_path_restriction`: patterns of paths that may not be changed. */
  paths?: readonly string[] | undefined;
  /** `file_extension_restriction`: with a dot before them or without, in any letter case. */
  extensions?: readonly string[] | undefined;
  /** `max_file_path_length`, in characters. */
  maxPathCharacters?: number | undefined;
  /** `max_file_size`, which GitHub gives in megabytes. */
  maxFileBytes?: number | undefined;
}

/** Why a judged path may not be written with so many bytes (null: removed), or undefined when it may. Written for the model. */
export type CheckWrite = (path: string, bytes: number | null) => string | undefined;

/**
 * Compiles the rules. Fails closed for what the settings allow: a glob that cannot be compiled allows nothing. A pattern of GitHub's that
 * cannot be compiled forbids nothing here: it is GitHub that enforces it, and refuses the push.
 */
export function createWriteCheck({ allow, forbid = {} }: WriteRules = {}): CheckWrite {
  const allowed = allow?.map((glob) => compileGlob(glob));
  const findRestriction = createRestrictions(forbid);
  return (path, bytes) => {
    const protection = findProtection(path);
    if (protection !== undefined) {
      return protection;
    }
    if (allow !== undefined && !allowed?.some((matches) => matches?.(path))) {
      return `${path} is outside the paths that this repository lets you change: ${allow.join(', ')}`;
    }
    return findRestriction(path, bytes);
  };
}

function createRestrictions({ paths = [], extensions = [], maxPathCharacters, maxFileBytes }: PushRestrictions) {
  const restricted = paths.map(compileFnmatch).filter((matches) => matches !== null);
  const endings = extensions.map((extension) => `.${extension.replace(/^\*?\.?/, '').toLowerCase()}`);

  return (path: string, bytes: number | null): string | undefined => {
    if (restricted.some((matches) => matches(path))) {
      return `a rule of the repository forbids changing ${path}; leave it as it is, and if it has to change, say so in your summary`;
    }
    // The other rules are about files that are there afterwards.
    if (bytes === null) {
      return undefined;
    }
    const ending = endings.find((end) => end.length > 1 && path.toLowerCase().endsWith(end));
    if (ending !== undefined) {
      return `a rule of the repository forbids files that end with ${ending}, so ${path} cannot be written; if it has to change, say so in your summary`;
    }
    const { length } = [...path];
    if (maxPathCharacters !== undefined && length > maxPathCharacters) {
      return `a rule of the repository forbids paths longer than ${maxPathCharacters} characters, and ${path} has ${length}; choose a shorter one`;
    }
    if (maxFileBytes !== undefined && bytes > maxFileBytes) {
      return `a rule of the repository forbids files larger than ${maxFileBytes} bytes, and ${path} would have ${bytes}; make it shorter or split it`;
    }
    return undefined;
  };
}

/** `maxChangedFiles` and `maxChangedBytes` bound what is published: a write that would exceed them is refused. */
export interface WriteLimits {
  maxChangedFiles: number;
  maxChangedBytes: number;
  maxFileBytes: number;
}

/**
 * Why nothing may be read or written at a judged path, or undefined: it, or a folder above it, is in the repository something else than
 * a file or a folder. Written for the model.
 */
export function findObstacle(tree: Tree, path: string): string | undefined {
  for (const name of [...parentsOf(path), path]) {
    const other = tree.others.get(name);
    if (other !== undefined) {
      return `${name} is ${other}; it can be neither read nor changed here`;
    }
  }
  return undefined;
}

/** Why this path may not be written with that many bytes (null: removed), or undefined when it may. Written for the model. */
export function findWriteRefusal({
  tree,
  files,
  path,
  bytes,
  judge,
  limits,
}: {
  tree: Tree;
  files: WriteSet;
  path: string;
  bytes: number | null;
  judge: CheckWrite;
  limits: WriteLimits;
}): string | undefined {
  const refusal = findObstacle(tree, path) ?? judge(path, bytes);
  if (refusal !== undefined) {
    return refusal;
  }
  const size = files.sizeWith(path, bytes ?? 0);
  if (size.files > limits.maxChangedFiles || size.bytes > limits.maxChangedBytes) {
    return `a run may change at most ${limits.maxChangedFiles} files and write at most ${limits.maxChangedBytes} bytes, and this would be more; nothing was changed. Finish with what is there`;
  }
  if (bytes !== null && bytes > limits.maxFileBytes) {
    return `${path} would be longer than ${limits.maxFileBytes} bytes; make it shorter or split it`;
  }
  if (files.hasFolder(path)) {
    return `${path} is a folder, not a file`;
  }
  if (bytes === null || files.has(path)) {
    return undefined;
  }
  const file = parentsOf(path).find(files.has);
  if (file !== undefined) {
    return `${file} is a file, so nothing can be put below it`;
  }
  const clash = files.findClash(path);
  if (clash !== undefined) {
    return `${path} differs from ${clash}, which exists, only in letter case or accents, and many machines cannot hold both; use the existing spelling`;
  }
  return undefined;
}
