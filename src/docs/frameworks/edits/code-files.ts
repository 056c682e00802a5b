import type { EntryRules } from './entry-rules.ts';

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
