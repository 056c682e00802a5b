import type { EntryRules } from './entry-rules.ts';

/** A part of a file that may change. `at`: the keys that lead to it; `*` is each item of a list, [] the whole file. */
export interface Container extends EntryRules {
  at: readonly string[];
}

/** A file of a framework of which only the data may change. */
export interface DataFile {
  /** Relative to the framework's root, in lower case; undefined: a file that the configuration names. */
  path?: RegExp;
  format: 'json' | 'toml' | 'yaml' | 'redirects' | 'summary' | 'python';
  containers: readonly Container[];
  /** For people and models: `its navigation and redirects`. */
  what: string;
}

export const containerAt = (rules: EntryRules, ...keys: string[]): Container => ({ ...rules, at: keys });

/** A file that is data from its first to its last line. */
export const wholeFile = (
  path: RegExp,
  format: DataFile['format'],
  rules: EntryRules,
  what = 'its entries',
): DataFile => ({ path, format, what, containers: [containerAt(rules)] });
