import { parentsOf } from '../../git/check-path.ts';
import type { Tree } from '../../git/tree.ts';
import type { WriteSet } from '../write-set.ts';
import { compileFnmatch } from './fnmatch.ts';
import { compileGlob } from './glob.ts';
import { findProtection } from './protected-paths.ts';

/** Rules of a repository, in addition to the protected paths. An empty object allows all other paths. */
export interface WriteRules {
  /** Globs from the repository's settings: only matching paths may be written. */
  allow?: readonly string[] | undefined;
  forbid?: PushRestrictions | undefined;
}

/**
 * The push rules of all rulesets on GitHub combined: the stricter limit, and all listed paths and extensions.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets
 */
export interface PushRestrictions {
  /** `file_path_restriction`: fnmatch patterns. */
  paths?: readonly string[] | undefined;
  /** `file_extension_restriction`: with or without a leading dot, in any letter case. */
  extensions?: readonly string[] | undefined;
  /** `max_file_path_length`, in characters. */
  maxPathCharacters?: number | undefined;
  /** `max_file_size`, in bytes (GitHub uses megabytes). */
  maxFileBytes?: number | undefined;
}

/** Returns why a checked path may not be written with that many bytes (null: removed), for the model; undefined when allowed. */
export type CheckWrite = (path: string, bytes: number | null) => string | undefined;

/** Fails closed: an invalid glob of the settings allows nothing. GitHub itself enforces its rules, so its invalid patterns are skipped. */
export function createWriteCheck({ allow, forbid = {} }: WriteRules = {}): CheckWrite {
  const allowed = allow?.map((glob) => compileGlob(glob));
  const findRestriction = createRestrictions(forbid);
  return (path, bytes) => {
    const protection = findProtection(path);
    if (protection !== undefined) {
      return protection;
    }
    if (allow !== undefined && !allowed?.some((matches) => matches?.(path))) {
      return `${path} is outside the paths that this repository allows you to change: ${allow.join(', ')}`;
    }
    return findRestriction(path, bytes);
  };
}

function createRestrictions({ paths = [], extensions = [], maxPathCharacters, maxFileBytes }: PushRestrictions) {
  const restricted = paths.map(compileFnmatch).filter((matches) => matches !== null);
  const endings = extensions.map((extension) => `.${extension.replace(/^\*?\.?/, '').toLowerCase()}`);

  return (path: string, bytes: number | null): string | undefined => {
    if (restricted.some((matches) => matches(path))) {
      return `a rule of the repository forbids changing ${path}. Leave it as it is; if it has to change, say so in your summary`;
    }
    // The other rules do not apply to removed files.
    if (bytes === null) {
      return undefined;
    }
    const ending = endings.find((end) => end.length > 1 && path.toLowerCase().endsWith(end));
    if (ending !== undefined) {
      return `a rule of the repository forbids files that end with ${ending}, so ${path} cannot be written; if it has to change, say so in your summary`;
    }
    const { length } = [...path];
    if (maxPathCharacters !== undefined && length > maxPathCharacters) {
      return `a rule of the repository forbids paths longer than ${maxPathCharacters} characters, and ${path} has ${length}; choose a shorter path`;
    }
    if (maxFileBytes !== undefined && bytes > maxFileBytes) {
      return `a rule of the repository forbids files larger than ${maxFileBytes} bytes, and ${path} would have ${bytes}; shorten or split it`;
    }
    return undefined;
  };
}

export interface WriteLimits {
  maxChangedFiles: number;
  maxChangedBytes: number;
  maxFileBytes: number;
}

/** Returns, for the model, why a checked path may not be read or written: it, or a folder above it, is not a plain file or folder. */
export function findObstacle(tree: Tree, path: string): string | undefined {
  for (const name of [...parentsOf(path), path]) {
    const other = tree.others.get(name);
    if (other !== undefined) {
      return `${name} is ${other}; you can neither read nor change it`;
    }
  }
  return undefined;
}

/** Returns, for the model, why a checked path may not be written with that many bytes (null: removed). */
export function findWriteRefusal({
  tree,
  files,
  path,
  bytes,
  checkWrite,
  limits,
}: {
  tree: Tree;
  files: WriteSet;
  path: string;
  bytes: number | null;
  checkWrite: CheckWrite;
  limits: WriteLimits;
}): string | undefined {
  const refusal = findObstacle(tree, path) ?? checkWrite(path, bytes);
  if (refusal !== undefined) {
    return refusal;
  }
  const size = files.sizeWith(path, bytes ?? 0);
  if (size.files > limits.maxChangedFiles || size.bytes > limits.maxChangedBytes) {
    return `a run may change at most ${limits.maxChangedFiles} files and write at most ${limits.maxChangedBytes} bytes, and this write would exceed that; nothing was changed. Finish with the changes that you have`;
  }
  if (bytes !== null && bytes > limits.maxFileBytes) {
    return `${path} would be longer than ${limits.maxFileBytes} bytes; shorten or split it`;
  }
  if (files.hasFolder(path)) {
    return `${path} is a folder, not a file`;
  }
  if (bytes === null || files.has(path)) {
    return undefined;
  }
  const file = parentsOf(path).find(files.has);
  if (file !== undefined) {
    return `${file} is a file, so it cannot contain other files`;
  }
  const clash = files.findClash(path);
  if (clash !== undefined) {
    return `${path} differs from the existing ${clash} only in letter case or accents, and many file systems cannot store both; use the existing spelling`;
  }
  return undefined;
}
