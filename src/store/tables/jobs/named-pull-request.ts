import type { FileDiff } from '../../../file-diff.ts';

/** A pull request as it was when the instruction that names it was accepted. Its texts have no hidden parts. */
export interface FoundChange {
  kind: 'found';
  /** `acme/api#12`, under the repository's name at that time. */
  reference: string;
  repositoryId: number;
  number: number;
  url: string;
  title: string;
  body: string;
  /** A login. */
  author: string;
  /** Absent in rows of older versions. */
  isByBot?: boolean;
  state: 'open' | 'closed' | 'merged';
  base: string;
  headSha: string;
  files: FileDiff[];
  /** Files beyond those. */
  more: number;
}

/** `problem`: why it is not handed over, for people. */
interface UnreadChange {
  kind: 'unread';
  reference: string;
  problem: string;
}

export type NamedPullRequest = FoundChange | UnreadChange;
