import type { Generated } from 'kysely';
import type { MaybeMoment, Moment } from '../columns.ts';

/** The migrations describe each column. */
export interface CheckTables {
  head_checks: {
    job_id: string;
    sha: string;
    since: Moment;
    failed_at: MaybeMoment;
    due_at: MaybeMoment;
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
