import type { ColumnType, Generated, InsertObject, RawBuilder, Selectable, Updateable } from 'kysely';
import type { AccessTables, WebhookTables } from './caller-tables.ts';
import type {
  ArchiveReason,
  Asker,
  DeliveryState,
  EffectState,
  JobStatus,
  Json,
  MaybeJson,
  MaybeMoment,
  MessageContext,
  MessageSource,
  MessageState,
  Moment,
  NamedPullRequest,
  RunPhase,
} from './columns.ts';
import type { AutomationTables, CheckTables } from './github-tables.ts';
import type { EventType } from './jobs/event-data.ts';

/** The migrations describe each column. */
export interface Tables extends AccessTables, AutomationTables, CheckTables, WebhookTables {
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
    occasions_read_at: MaybeMoment;
    removed_at: MaybeMoment;
    created_at: Generated<Date>;
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
    changed_files: number | null;
    additions: number | null;
    deletions: number | null;
    size_at: MaybeMoment;
    stopped_at: MaybeMoment;
    archive_reason: ArchiveReason | null;
    automation: string | null;
    asked_on: number | null;
    next_seq: Generated<number>;
    next_event: Generated<number>;
    sources: ColumnType<MessageSource[], never, never>;
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
  message_changes: { message_id: string; position: number; data: Json<NamedPullRequest> };
  message_images: {
    message_id: string;
    position: number;
    address: string | null;
    media_type: string | null;
    content: Buffer | null;
    problem: string | null;
  };
  context_repositories: {
    project_id: string;
    name: string;
    repository_id: number | null;
    installation_id: number | null;
    owner: string | null;
    repo: string | null;
    state: string;
    problem: string | null;
    checked_at: Moment;
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
    context: MaybeJson<object[]>;
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
    worker: string | null;
  };
  workers: {
    name: string;
    slots: number;
    seen_at: Moment;
  };
  watermarks: { name: string; moment: Moment; page: string | null };
}

export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
export type NewRow<Name extends keyof Tables> = InsertObject<Tables, Name>;
/** A value is one of the column, or SQL. */
export type ColumnChange<Name extends keyof Tables> = {
  [Column in keyof Updateable<Tables[Name]>]?: Updateable<Tables[Name]>[Column] | RawBuilder<unknown> | undefined;
};
