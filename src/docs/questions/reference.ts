import type { LinkForm } from '../pages/list-links.ts';
import type { Site } from '../sites/open-sites.ts';

export type ReferenceKind =
  | 'link'
  | 'image'
  | 'navigation'
  | 'redirect from'
  | 'redirect'
  | 'import'
  | 'include'
  | 'mention';

/** A place that leads to a file of the repository. */
export interface Reference {
  file: string;
  line: number;
  /** The place of the target in the file. */
  start: number;
  end: number;
  written: string;
  kind: ReferenceKind;
  /** Of links. */
  form?: LinkForm;
  /** Where it leads. */
  path: string;
  anchor: string;
  site: Site;
}

export interface WantedPaths {
  has(path: string): boolean;
  /** Code and data that mention such a file hold one of these names. */
  names: readonly string[];
}
