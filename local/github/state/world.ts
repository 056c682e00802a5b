import type { KeyObject } from 'node:crypto';
import type { Ruleset } from '../rules/ruleset.ts';
import type { Permissions } from './permissions.ts';

/** Everything one stand-in knows but its git objects. Nothing here is shared between two instances. */
export interface World {
  /** None until one is given or registered: this stand-in serves one App. */
  app: App | undefined;
  /** What a manifest's code is exchanged for, once: https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
  conversions: Map<string, Conversion>;
  /** Where the API is served, without a slash at its end. */
  apiUrl: string;
  /** Where pages and git are served, without a slash at its end. */
  webUrl: string;
  directory: string;
  /** By login in lower case. */
  accounts: Map<string, Account>;
  repositories: Map<number, Repository>;
  /** `owner/name` in lower case, as it was before a rename → repository id. */
  formerNames: Map<string, number>;
  installations: Map<number, Installation>;
  tokens: Map<string, Token>;
  clock(): Date;
  /** Seconds since the epoch as GitHub prints them: UTC, no fraction, never earlier than one given before. */
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
  publicKey: KeyObject;
  permissions: Permissions;
  events: string[];
  /** Whether accounts other than the owner's may install it. */
  isPublic: boolean;
  /** Where a person is sent after installing it. */
  setupUrl: string | null;
  bot: Account;
  owner: Account;
  createdAt: string;
}

/** The secrets of an App that was registered from a manifest. */
export interface Conversion {
  clientSecret: string;
  webhookSecret: string;
  pem: string;
  expiresAt: Date;
}

export interface Account {
  id: number;
  login: string;
  type: 'User' | 'Organization' | 'Bot';
}

export type Role = 'admin' | 'maintain' | 'write' | 'triage' | 'read' | 'none';

/** What a person may do in a repository; a custom role has a name of its own and inherits from a base. */
export interface Grant {
  base: Role;
  roleName: string;
}

export interface Repository {
  id: number;
  owner: Account;
  name: string;
  private: boolean;
  archived: boolean;
  isTemplate: boolean;
  draftsSupported: boolean;
  defaultBranch: string;
  /** The bare repository. */
  directory: string;
  createdAt: string;
  updatedAt: string;
  pushedAt: string;
  /** By login in lower case. */
  roles: Map<string, Grant>;
  /** By pattern. */
  rulesets: Map<string, Ruleset>;
  /** The commits that GitHub made and signed itself. */
  signedCommits: Set<string>;
  pullRequests: PullRequest[];
}

export interface PullRequest {
  id: number;
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  draft: boolean;
  locked: boolean;
  author: Account;
  headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  /** Whoever closed or merged it. */
  closedBy: Account | null;
  mergedAt: string | null;
  mergedBy: Account | null;
  mergeCommitSha: string | null;
  maintainerCanModify: boolean;
  labels: { id: number; name: string }[];
  requestedReviewers: Account[];
  reactions: Reaction[];
  comments: Comment[];
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
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
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
}

export interface Reaction {
  id: number;
  content: string;
  author: Account;
  createdAt: string;
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
  /** What the token was narrowed to; null: whatever the installation has. */
  repositoryIds: Set<number> | null;
  permissions: Permissions;
  expiresAt: Date;
}

export type SendEvent = (event: {
  name: string;
  action?: string;
  repository?: Repository;
  /** Given for events about an installation itself; else the one that covers the repository is found. */
  installation?: Installation;
  sender: Account;
  payload: Record<string, unknown>;
}) => void;
