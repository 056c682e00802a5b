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
export type WriteJudge = (path: string, bytes: number | null) => string | undefined;

/**
 * Compiles the rules. Fails closed for what the settings allow: a glob that cannot be compiled allows nothing. A pattern of GitHub's that
 * cannot be compiled forbids nothing here: it is GitHub that enforces it, and refuses the push.
 */
export function createWriteJudge({ allow, forbid = {} }: WriteRules = {}): WriteJudge {
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
