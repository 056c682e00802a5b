import type { Generated, GeneratedAlways } from 'kysely';
import type {
  Json,
  MaybeJson,
  MaybeMoment,
  Moment,
  WebhookDeliveryState,
  WebhookDeliveryType,
  WebhookEvent,
} from '../columns.ts';

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
