import type { ColumnType, Generated } from 'kysely';
import type { Json, MaybeMoment, Moment, StoredAnswer } from '../columns.ts';

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
