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
