import { compileGlob } from '../glob.ts';
import type { Change } from './base-files.ts';
import type { GeneratedSetting } from './generated/generated-paths.ts';
import type { ForeignReaders } from './judge/foreign-readers.ts';

/** The rules of one repository, in addition to those for all, about the files that may be written. */
export interface WriteRules {
  /** Globs from the repository's settings: only matching paths may be written. */
  allow?: readonly string[] | undefined;
  /** Globs from the repository's settings: files to open that are neither pages nor navigation data. */
  also?: readonly string[] | undefined;
  /** From the repository's settings: files that programs write. */
  generated?: GeneratedSetting | undefined;
  forbid?: PushRestrictions | undefined;
  /** By default inline, for tests. */
  readers?: ForeignReaders | undefined;
}

/**
 * The push rules of all rulesets on GitHub combined: the stricter limit, and all listed paths and extensions.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets
 */
export interface PushRestrictions {
  /** `file_path_restriction`: patterns of fnmatch. */
  paths?: readonly string[] | undefined;
  /** `file_extension_restriction`: with or without a leading dot, in any letter case. */
  extensions?: readonly string[] | undefined;
  /** `max_file_path_length`, in characters. */
  maxPathCharacters?: number | undefined;
  /** `max_file_size`, in bytes (GitHub uses megabytes). */
  maxFileBytes?: number | undefined;
}

/** Fails closed: an invalid glob of the settings allows nothing. */
export function createPathTest(allow: WriteRules['allow']): (path: string) => string | undefined {
  const allowed = allow?.map((glob) => compileGlob(glob));
  return (path) =>
    allow === undefined || allowed?.some((matches) => matches?.(path))
      ? undefined
      : `${path} is outside the paths that this repository allows you to change: ${allow.join(', ')}`;
}

/**
 * Ruby's `File.fnmatch` with `FNM_PATHNAME`: at the end, `**` is `*`. Null for sets, braces and backslashes.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/creating-rulesets-for-a-repository#using-fnmatch-syntax
 */
const compileRestriction = (pattern: string) =>
  /[[\]{}\\]/.test(pattern) ? null : compileGlob(pattern.replace(/(?<![^/])\*\*$/, '*'));

/** GitHub itself enforces its rules, so patterns that are not understood are skipped. */
export function createRestrictionTest(options: PushRestrictions = {}): (change: Change) => string | undefined {
  const { paths = [], extensions = [], maxPathCharacters, maxFileBytes } = options;
  const restricted = paths.map(compileRestriction).filter((matches) => matches !== null);
  const endings = extensions.map((extension) => `.${extension.replace(/^\*?\.?/, '').toLowerCase()}`);

  return ({ path, after }) => {
    if (restricted.some((matches) => matches(path)))
      return `a rule of the repository forbids changing ${path}. Leave it as it is; if it has to change, say so in your summary`;
    // The other rules do not apply to removed files.
    if (after === null) return undefined;
    const ending = endings.find((end) => end.length > 1 && path.toLowerCase().endsWith(end));
    if (ending !== undefined)
      return `a rule of the repository forbids files that end with ${ending}, so ${path} cannot be written; if it has to change, say so in your summary`;
    const { length } = [...path];
    if (maxPathCharacters !== undefined && length > maxPathCharacters)
      return `a rule of the repository forbids paths longer than ${maxPathCharacters} characters, and ${path} has ${length}; choose a shorter path`;
    if (maxFileBytes !== undefined && after.bytes > maxFileBytes)
      return `a rule of the repository forbids files larger than ${maxFileBytes} bytes, and ${path} would have ${after.bytes}; shorten or split it`;
    return undefined;
  };
}
