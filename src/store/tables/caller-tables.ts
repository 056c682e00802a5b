import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type {
  Json,
  MaybeJson,
  MaybeMoment,
  Moment,
  StoredAnswer,
  WebhookDeliveryState,
  WebhookDeliveryType,
  WebhookEvent,
} from './columns.ts';

export interface AccessTables {
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
  sign_in_attempts: { sha256: Buffer; window_start: Date; used: number };
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

export interface WebhookTables {
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
}
