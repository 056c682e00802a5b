import type { ColumnType, JSONColumnType } from 'kysely';
import type { FileDiff } from '../../file-diff.ts';

export type Moment = ColumnType<Date, Date | string | undefined, Date | string>;
export type MaybeMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
export type Json<T extends object> = JSONColumnType<T, string, string>;
export type MaybeJson<T extends object> = JSONColumnType<T | null, string | null | undefined, string | null>;

export const jobStatuses = ['active', 'completed', 'failed', 'archived'] as const;
export type JobStatus = (typeof jobStatuses)[number];
export const messageSources = ['api', 'dashboard', 'comment', 'review', 'automation', 'issue', 'checks'] as const;
export type MessageSource = (typeof messageSources)[number];
export const messageStates = ['waiting', 'taken', 'answered', 'dropped'] as const;
export type MessageState = (typeof messageStates)[number];
export const runPhases = ['working', 'publishing', 'ended'] as const;
export type RunPhase = (typeof runPhases)[number];
export type DeliveryState = 'stored' | 'done' | 'ignored';

export type ArchiveReason = 'requested' | 'merged' | 'closed' | 'repository_gone';
export const effectStates = ['intended', 'done', 'refused'] as const;
export type EffectState = (typeof effectStates)[number];
/** The checks of a commit, taken together. */
export type CheckState = 'pending' | 'failing' | 'passing';

export const webhookEvents = [
  'job.completed',
  'job.failed',
  'job.archived',
  'message.answered',
  'automation.unchanged',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** What a webhook gets that names no events: nobody hears that nothing happened unless they ask. */
export const defaultWebhookEvents = webhookEvents.filter((event) => event !== 'automation.unchanged');
/** `webhook.test` comes only when somebody asks for it. */
export type WebhookDeliveryType = WebhookEvent | 'webhook.test';
export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

export interface Thread {
  /** Replies go to this comment. */
  rootId: number;
  path: string;
  /** Null: at most one line. Absent in messages of earlier releases. */
  startLine?: number | null;
  /** In the reviewed file; null: the comment is on the whole file. */
  line: number | null;
  excerpt: string;
  /** Null: the thread has one comment. */
  quoted: { author: string; text: string } | null;
  text: string;
  /** Somebody resolved it before a run took it up. */
  isResolved?: boolean;
}

/** What triggered an automation: a merged pull request, a release, a time of its schedule, a labeled issue, or a person's request. */
export interface OccasionSubject {
  kind: 'pull_request' | 'release' | 'time' | 'issue' | 'request';
  /** GitHub's id, also after a rename. */
  repositoryId?: number;
  /** `owner/name`, as it was then. */
  repository?: string;
  /** The number of a pull request or issue; the id of a release. */
  number?: number;
  /** The tag, if it is a release. */
  title?: string;
  author?: { login: string; isBot: boolean };
  url?: string;
  /** The text of an issue or a release is material for the agent. */
  text?: string;
}

/** An issue, or a pull request of somebody else, that mentions the App. */
export interface Conversation {
  kind: 'issue' | 'pull_request';
  /** The pull request is merged: its branch is not the base of the job. */
  isMerged?: boolean;
  number: number;
  title: string;
  /** A login. */
  author: string;
  /** An issue has its text, and what people with write access said: material for the agent. */
  text: string;
  /** Why a run that it asks for ends at once; absent: it does not. */
  refusal?: { code: string; sentence: string };
}

export type OccasionState = 'waiting' | 'taken' | 'passed';

export interface MessageContext {
  /** None for an API key, and for an automation. */
  person?: { login: string; userId: number };
  /** `prompt` contains all threads, `body` only the text of the review. */
  review?: { body: string; threads: Thread[] };
  /** What the message is an answer to. */
  occasions?: OccasionSubject[];
  /** Where it was written, if not on the pull request of its job. */
  conversation?: Conversation;
  checks?: FailedChecks;
}

/** Checks of a commit of ours that fail, and do not fail on its base. */
export interface FailedChecks {
  sha: string;
  names: string[];
  /** What they report: material for the agent, at most 24 KB. */
  report: string;
}

/** For an effect whose comment or review is not a message. */
export interface Asker {
  author: string;
  source: MessageSource;
  /** null: a request to the API. */
  deliveryId: string | null;
}

/** The answer to an accepted request, for its repetitions. */
export interface StoredAnswer {
  status: 200 | 201;
  headers: Record<string, string>;
  body: object;
}

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
