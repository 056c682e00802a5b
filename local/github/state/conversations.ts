import type { Account } from './account.ts';
import type { Repository } from './world.ts';

/** An issue, or the conversation of a pull request: both count with one counter. */
export interface Conversation {
  repository: Repository;
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  locked: boolean;
  author: Account;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  closedBy: Account | null;
  labels: { id: number; name: string }[];
  reactions: Reaction[];
  comments: Comment[];
}

export type Issue = Conversation;

export interface PullRequest extends Conversation {
  /** The fork that it comes from; none: a branch of the repository. */
  fork?: { id: number; owner: Account };
  draft: boolean;
  headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  mergedAt: string | null;
  mergedBy: Account | null;
  mergeCommitSha: string | null;
  maintainerCanModify: boolean;
  requestedReviewers: Account[];
  reviews: Review[];
  reviewComments: ReviewComment[];
}

export interface Comment {
  id: number;
  body: string;
  author: Account;
  byApp: boolean;
  createdAt: string;
  updatedAt: string;
  reactions: Reaction[];
}

export interface Review {
  id: number;
  body: string;
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED';
  author: Account;
  commitId: string;
  submittedAt: string;
}

export interface ReviewComment extends Comment {
  reviewId: number;
  path: string;
  line: number | null;
  /** The first of several lines. */
  startLine: number | null;
  side: 'LEFT' | 'RIGHT';
  diffHunk: string;
  commitId: string;
  /** The first comment of the thread; null: this is it. */
  inReplyToId: number | null;
  /** Of the first comment: somebody has resolved the thread. */
  isResolved?: boolean;
}

export interface Reaction {
  id: number;
  content: string;
  author: Account;
  createdAt: string;
}
