export type ProblemKind =
  | 'syntax'
  | 'component'
  | 'name'
  | 'front-matter'
  | 'link'
  | 'image'
  | 'anchor'
  | 'import'
  | 'navigation'
  | 'unlisted'
  | 'redirect';

/** Something that a reader of the site would stumble over. */
export interface Problem {
  /** The file to mend. */
  file: string;
  line: number;
  kind: ProblemKind;
  /** `must`: the page or the site is broken. `should`: a reader loses the way. */
  severity: 'must' | 'should';
  message: string;
  /** Where it leads, resolved: two problems of a file with the same kind and target are the same. */
  target: string;
}

/** Of one state of a repository: most problems are never told, so their words are only made for those that are. */
export interface FoundProblem extends Omit<Problem, 'message'> {
  describe(): string;
  /** What the link or entry may have meant: the nearest there is. */
  suggest?(): string | undefined;
  /** The link or entry as it stands in the file. */
  written?: string;
}
