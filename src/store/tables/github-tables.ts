import type { Generated } from 'kysely';
import type { CheckState, Json, MaybeJson, MaybeMoment, Moment, OccasionState, OccasionSubject } from './columns.ts';

/** A check that fails. Its address comes from outside. */
export interface FailingName {
  name: string;
  url: string | null;
}

/** The migrations describe each column. */
export interface CheckTables {
  head_checks: {
    job_id: string;
    sha: string;
    since: Moment;
    failed_at: MaybeMoment;
    due_at: MaybeMoment;
    state: CheckState | null;
    failing: MaybeJson<FailingName[]>;
  };
  pull_request_reviews: {
    job_id: string;
    user_id: number;
    login: string;
    state: 'approved' | 'changes_requested' | 'dismissed';
    submitted_at: Moment;
  };
  previews: {
    job_id: string;
    url: string;
    sha: string;
  };
  pull_request_checks: {
    project_id: string;
    number: number;
    sha: string;
    base: string;
    attempt: Generated<number>;
    state: Generated<'waiting' | 'done' | 'passed'>;
    reason: string | null;
    check_run_id: number | null;
    requested_at: Moment;
    finished_at: MaybeMoment;
  };
}

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
