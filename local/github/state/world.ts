import type { KeyObject } from 'node:crypto';
import type { Ruleset } from '../rules/ruleset.ts';
import type { Account, Grant } from './account.ts';
import type { CheckRun, CommitStatus } from './checks.ts';
import type { Permissions } from './permissions.ts';

/** The whole state of one stand-in without its git objects. Two instances share nothing. */
export interface World {
  /** Undefined until an App is configured or registered: the stand-in serves one App. */
  app: App | undefined;
  /** By the one-time code of a manifest: https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
  conversions: Map<string, Conversion>;
  /** By the code of a person's authorization. */
  userCodes: Map<string, UserCode>;
  userTokens: Map<string, UserToken>;
  /** Without a trailing slash. */
  apiUrl: string;
  /** Of pages and git, without a trailing slash. */
  webUrl: string;
  directory: string;
  /** By login in lower case. */
  accounts: Map<string, Account>;
  repositories: Map<number, Repository>;
  /** `owner/name` in lower case, as it was before a rename → repository id. */
  formerNames: Map<string, number>;
  installations: Map<number, Installation>;
  tokens: Map<string, Token>;
  /** What people dropped into comments, by its id. */
  attachments: Map<string, { content: Buffer; status: number }>;
  clock(): Date;
  /** The time as GitHub prints it: UTC, no fraction, never earlier than the one before. */
  timestamp(): string;
  nextId(): number;
  send: SendEvent;
  log(line: string): void;
}

export interface App {
  id: number;
  slug: string;
  name: string;
  description: string;
  externalUrl: string;
  clientId: string;
  /** Empty: people cannot authorize the App. */
  clientSecret: string;
  callbackUrls: string[];
  publicKey: KeyObject;
  permissions: Permissions;
  events: string[];
  /** Whether other accounts than the owner's may install it. */
  isPublic: boolean;
  /** Where GitHub redirects a person after the installation. */
  setupUrl: string | null;
  bot: Account;
  owner: Account;
  createdAt: string;
}

/** Of an App that was registered from a manifest. */
export interface Conversion {
  clientSecret: string;
  webhookSecret: string;
  pem: string;
  expiresAt: Date;
}

export interface Repository {
  world: World;
  id: number;
  owner: Account;
  name: string;
  private: boolean;
  archived: boolean;
  isTemplate: boolean;
  draftsSupported: boolean;
  defaultBranch: string;
  /** As the API tells it; GitHub measures now and then. */
  kilobytes: number;
  /** The bare repository. */
  directory: string;
  createdAt: string;
  updatedAt: string;
  pushedAt: string;
  /** By login in lower case. */
  roles: Map<string, Grant>;
  /** By pattern. */
  rulesets: Map<string, Ruleset>;
  /** The commits that GitHub made and signed. */
  signedCommits: Set<string>;
  pullRequests: PullRequest[];
  issues: Issue[];
  releases: Release[];
  checkRuns: CheckRun[];
  statuses: CommitStatus[];
}

export interface Release {
  id: number;
  tag: string;
  body: string;
  draft: boolean;
  prerelease: boolean;
  author: Account;
  createdAt: string;
  publishedAt: string | null;
}

export interface Installation {
  id: number;
  account: Account;
  /** Repository ids, or every repository of the account. */
  repositories: 'all' | Set<number>;
  permissions: Permissions;
  createdAt: string;
  updatedAt: string;
  suspendedAt: string | null;
}

export interface Token {
  value: string;
  installationId: number;
  /** The narrowed repositories; null: all of the installation. */
  repositoryIds: Set<number> | null;
  permissions: Permissions;
  expiresAt: Date;
}

/** A person's authorization that the App has not exchanged yet. */
export interface UserCode {
  person: Account;
  redirectUri: string;
  codeChallenge: string | undefined;
  expiresAt: Date;
}

export interface UserToken {
  person: Account;
  expiresAt: Date;
}

export type SendEvent = (event: {
  name: string;
  action?: string;
  repository?: Repository;
  /** Set for events about an installation; else the installation that covers the repository is found. */
  installation?: Installation;
  sender: Account;
  payload: Record<string, unknown>;
}) => void;

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
