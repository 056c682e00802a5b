import type { Data } from '../../formats/data.ts';

/** What may be new in a list or an object that people may edit as data. Existing data may stay and move. */
export interface EntryRules {
  /** Keys that may be new; `any`: keys that are names or addresses. */
  keys: readonly string[] | 'any';
  /** More keys that may be new, such as paths. */
  otherKeys?: RegExp;
  /** A key that the container has already may not be new elsewhere. */
  isClosed?: boolean;
  /** Keys whose values people read: a colon in them makes no link. */
  texts?: readonly string[];
  /** The only keys whose values are links; by default, all but `texts` are. */
  links?: readonly string[];
  /** Values that may be new, by key: for keys that are not harmless with every value. `*`: of all keys without a rule. */
  values?: Readonly<Record<string, (value: Data) => boolean>>;
}

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

/** A part of a code file whose data may change. */
export interface CodeContainer extends EntryRules {
  /**
   * The keys from an export to the container, outermost first. A call is a key, such as `starlight()`, unless it wraps the whole export. A list
   * is `*`, or its first item if that is a text, as in `['plugin-name', {…}]`. In a rule, `*` matches any key. Each export has two paths: one
   * begins with its first key, the other with `export name`. A default export has the name of its file.
   */
  at: readonly (string | RegExp)[];
  name: string;
  /** How an edit may add it where it is missing: as a key, or as a method that does nothing but return it. */
  canBeAdded?: 'key' | 'async method';
  /** Its keys are the names of pages, which may be named like a setting: `plugins: 'Plugins'`. */
  holdsPages?: true;
  /** Keys that look like settings, but only show or hide parts of a page. */
  displayKeys?: readonly string[];
}

/** A file of JavaScript or TypeScript of which only data may change. */
export interface CodeFile {
  /** Relative to the framework's root, in lower case; undefined: a file that the configuration imports. */
  path?: RegExp;
  /** For people and models: `its nav, sidebar and rewrites`. */
  what: string;
  containers: readonly CodeContainer[];
}
