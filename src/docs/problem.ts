import type { LinkForm } from './pages/list-links.ts';
import type { ProblemKind } from './problem-kinds.ts';

/** A defect that readers of the site would meet. */
export interface Problem {
  file: string;
  line: number;
  kind: ProblemKind;
  /** `must`: the page or the site is broken. `should`: a reader loses the way. */
  severity: 'must' | 'should';
  message: string;
  /** The resolved target: two problems of a file with the same kind and target are the same. */
  target: string;
}

/** A problem in one state of a repository. `describe` makes the message on demand, because most problems are never shown. */
export interface FoundProblem extends Omit<Problem, 'message'> {
  describe(): string;
  /** The nearest existing target, which the link or entry may have meant. */
  suggest?(): string | undefined;
  /** The link or entry as written in the file. */
  written?: string;
  /** Of a page without an entry: whether links lead to it. */
  isLinked?(): boolean;
  /** Something outside of the repository may answer the link: it is lost only if it led somewhere in the base. */
  doubt?: { form: LinkForm };
}
