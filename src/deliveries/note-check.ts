import { noteCheck } from '../checks/failing/note-check.ts';
import type { Database } from '../store/postgres/database.ts';
import type { StoreTx } from '../store/store.ts';
import { findJobOfPush } from '../store/tables/jobs/runs.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { CommonFields } from './payload.ts';

/** A head that a job pushed; checks of other commits are of no concern, and cost one look at an index. */
export const mayConcernHead = async (database: Database, { repository }: CommonFields, sha: string): Promise<boolean> =>
  repository !== undefined && (await findJobOfPush(database, { repositoryId: repository.id, sha })) !== undefined;

/** A check or status of a head may have finished: GitHub is asked about all of them soon, at once for many. */
export const noteHead =
  ({ fields: { repository }, timing }: DeliveryContext, sha: string) =>
  async (store: StoreTx): Promise<string | undefined> => {
    const jobId = repository && (await findJobOfPush(store.tx, { repositoryId: repository.id, sha }));
    if (!jobId) return 'not a commit of a job';
    await noteCheck(store, { jobId, sha, afterMs: timing.checks.settleMs });
    return undefined;
  };
