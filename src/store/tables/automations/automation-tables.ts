import type { Generated } from 'kysely';
import type { Json, MaybeMoment, Moment, OccasionState, OccasionSubject } from '../columns.ts';

/** The migrations describe each column. */
export interface AutomationTables {
  automations: {
    project_id: string;
    name: string;
    setting: Json<object>;
    repository_id: number | null;
    broken: string | null;
    held: string | null;
    since: Moment;
    paused_at: MaybeMoment;
    due_at: MaybeMoment;
    scheduled_at: MaybeMoment;
    job_id: string | null;
    removed_at: MaybeMoment;
  };
  occasions: {
    project_id: string;
    automation: string;
    key: string;
    subject: Json<OccasionSubject>;
    state: Generated<OccasionState>;
    reason: string | null;
    message_id: string | null;
    occurred_at: Moment;
    finished_at: MaybeMoment;
  };
}
