import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  InsertObject,
  JSONColumnType,
  Selectable,
  UpdateObject,
} from 'kysely';
import type { EventType } from './event-data.ts';

type Moment = ColumnType<Date, Date | string | undefined, Date | string>;
type MaybeMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Json<T extends object> = JSONColumnType<T, string, string>;
type MaybeJson<T extends object> = JSONColumnType<T | null, string | null | undefined, string | null>;

export type JobStatus = 'active' | 'completed' | 'failed' | 'archived';
export type MessageSource = 'api' | 'comment' | 'review' | 'dashboard';
export type MessageState = 'waiting' | 'taken' | 'answered' | 'dropped';
export type RunPhase = 'working' | 'publishing' | 'ended';
export type DeliveryState = 'stored' | 'done' | 'ignored';

export type ArchiveReason = 'requested' | 'merged' | 'closed' | 'repository_gone';
export type EffectState = 'intended' | 'done' | 'refused';

export type WebhookEvent = 'job.completed' | 'job.failed' | 'job.archived' | 'message.answered';
/** `webhook.test` comes only when somebody asks for it. */
export type WebhookDeliveryType = WebhookEvent | 'webhook.test';
export type WebhookDeliveryState = 'waiting' | 'delivered' | 'failed';

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
}

export interface MessageContext {
  /** None for an API key. */
  person: { login: string; userId: number };
  /** `prompt` contains all threads, `body` only the text of the review. */
  review?: { body: string; threads: Thread[] };
}

/** For an effect whose comment or review is not a message. */
export interface Asker {
  author: string;
  source: MessageSource;
  /** null: a request to the API. */
  deliveryId: string | null;
}

/** What a request was answered, for its repetitions. */
export interface StoredAnswer {
  status: 200 | 201;
  headers: Record<string, string>;
  body: object;
}

/** The migrations describe each column. */
export interface Tables {
  installations: {
    installation_id: number;
    account: string;
    suspended_at: MaybeMoment;
    blocked_until: MaybeMoment;
    writes_until: MaybeMoment;
    compared_at: MaybeMoment;
  };
  projects: {
    project_id: string;
    repository_id: number;
    installation_id: number;
    owner: string;
    repo: string;
    default_branch: string;
    settings: MaybeJson<object>;
    good_settings: MaybeJson<object>;
    good_settings_sha: string | null;
    settings_problems: ColumnType<string[], string | undefined, string>;
    settings_read_at: MaybeMoment;
    pull_requests_etag: string | null;
    compared_at: MaybeMoment;
    removed_at: MaybeMoment;
    created_at: Generated<Date>;
  };
  api_keys: {
    key_id: string;
    project_id: string;
    sha256: Buffer;
    name: string;
    last4: string;
    created_at: Generated<Date>;
    expires_at: MaybeMoment;
    last_used_at: MaybeMoment;
    revoked_at: MaybeMoment;
  };
  sessions: {
    sha256: Buffer;
    user_id: number;
    login: string;
    created_at: Generated<Date>;
    used_at: Generated<Date>;
  };
  jobs: {
    job_id: string;
    project_id: string;
    status: JobStatus;
    base: string;
    branch: string | null;
    model: string;
    draft: boolean;
    pull_request_number: number | null;
    pull_request_url: string | null;
    pull_request_title: string | null;
    pull_request_updated_at: MaybeMoment;
    stopped_at: MaybeMoment;
    archive_reason: ArchiveReason | null;
    next_seq: Generated<number>;
    next_event: Generated<number>;
    due_at: MaybeMoment;
    lease_epoch: Generated<number>;
    lease_owner: string | null;
    lease_until: MaybeMoment;
    created_at: Generated<Date>;
    archived_at: MaybeMoment;
  };
  messages: {
    message_id: string;
    job_id: string;
    seq: number;
    source: MessageSource;
    source_key: string;
    author: string;
    prompt: string;
    context: MaybeJson<MessageContext>;
    state: Generated<MessageState>;
    reason: string | null;
    run_id: string | null;
    turn_index: number | null;
    delivery_id: string | null;
    key_id: string | null;
    written_at: Moment;
    created_at: Generated<Date>;
  };
  runs: {
    run_id: string;
    job_id: string;
    number: number;
    phase: Generated<RunPhase>;
    base_sha: string | null;
    outcome: 'completed' | 'failed' | null;
    code: string | null;
    sentence: string | null;
    takeovers: Generated<number>;
    rebases: Generated<number>;
    stop_requested: Generated<boolean>;
    waiting_since: MaybeMoment;
    model_down_since: MaybeMoment;
    notice: string | null;
    active_ms: Generated<number>;
    tokens_in: Generated<number>;
    tokens_out: Generated<number>;
    tokens_cached: Generated<number>;
    publication: MaybeJson<object>;
    commit_sha: string | null;
    merged_base_sha: string | null;
    warnings: ColumnType<string[], string | undefined, string>;
    removed_turns: number | null;
    started_at: Generated<Date>;
    ended_at: MaybeMoment;
  };
  turns: {
    run_id: string;
    turn_index: number;
    inputs: Json<string[]>;
    answer: MaybeJson<object>;
    results: MaybeJson<object[]>;
    original: MaybeJson<object>;
    compacted_for: number | null;
    opened_at: Generated<Date>;
    finished_at: MaybeMoment;
  };
  events: { job_id: string; seq: number; type: EventType; data: Json<object>; at: Moment };
  webhooks: {
    webhook_id: string;
    project_id: string;
    url: string;
    events: Json<WebhookEvent[]>;
    secret: Buffer;
    previous_secret: Buffer | null;
    previous_secret_until: MaybeMoment;
    failing_since: MaybeMoment;
    disabled_at: MaybeMoment;
    disabled_reason: string | null;
    removed_at: MaybeMoment;
    created_at: Generated<Date>;
  };
  webhook_deliveries: {
    delivery_id: string;
    webhook_id: string;
    seq: GeneratedAlways<number>;
    type: WebhookDeliveryType;
    job_id: string | null;
    run_id: string | null;
    job: MaybeJson<object>;
    at: Moment;
    body: string | null;
    state: Generated<WebhookDeliveryState>;
    tries: Generated<number>;
    due_at: Moment;
    claimed_until: MaybeMoment;
    tried_at: MaybeMoment;
    response_status: number | null;
    error: string | null;
    finished_at: MaybeMoment;
  };
  run_files: { run_id: string; path: string; content: Buffer | null };
  effects: {
    job_id: string;
    key: string;
    run_id: string | null;
    message_id: string | null;
    epoch: number;
    state: EffectState;
    tries: Generated<number>;
    request: Json<object>;
    asker: MaybeJson<Asker>;
    response: MaybeJson<object>;
    external_id: string | null;
    intended_at: Generated<Date>;
    done_at: MaybeMoment;
  };
  deliveries: {
    delivery_id: string;
    event: string;
    action: string | null;
    repository_id: number | null;
    review_id: number | null;
    fields: Json<object>;
    state: Generated<DeliveryState>;
    reason: string | null;
    received_at: Moment;
    processed_at: MaybeMoment;
  };
  redeliveries: {
    delivery_id: string;
    tries: number;
    asked_at: Moment;
    attempt_id: string | null;
    failed_at: MaybeMoment;
    due_at: MaybeMoment;
  };
  claims: {
    project_id: string;
    claimed_at: Moment;
  };
  watermarks: { name: string; moment: Moment; page: string | null };
  rate_counters: { project_id: string; window_start: Date; used: number };
  usage: {
    project_id: string;
    day: ColumnType<Date, string, string>;
    model: string;
    key_id: string;
    runs: number;
    turns: number;
    tokens_in: number;
    tokens_cached: number;
    tokens_out: number;
  };
  idempotency_keys: {
    project_id: string;
    key: string;
    fingerprint: Buffer;
    answer: Json<StoredAnswer>;
    created_at: Moment;
  };
}

export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
export type NewRow<Name extends keyof Tables> = InsertObject<Tables, Name>;
export type ColumnChange<Name extends keyof Tables> = UpdateObject<Tables, Name>;
