import { noteCheck } from '../checks/failing/note-check.ts';
import { notePreview } from '../jobs/note-preview.ts';
import { readStoredSettings } from '../repository/settings.ts';
import type { Database } from '../store/postgres/database.ts';
import type { StoreTx } from '../store/store.ts';
import { lockJob } from '../store/tables/jobs/jobs.ts';
import { findJobOfPush, findLastPush } from '../store/tables/jobs/runs.ts';
import { findProject } from '../store/tables/repositories/projects.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { CommonFields } from './payload.ts';

const findJob = async (database: Database, repository: CommonFields['repository'], sha: string) =>
  repository && findJobOfPush(database, { repositoryId: repository.id, sha });

/** A head that a job pushed; checks of other commits are of no concern, and cost one look at an index. */
export const mayConcernHead = async (database: Database, { repository }: CommonFields, sha: string): Promise<boolean> =>
  (await findJob(database, repository, sha)) !== undefined;

/** A check or status of a head may have finished: GitHub is asked about all of them soon, at once for many. */
export const noteHead =
  ({ fields: { repository }, timing }: DeliveryContext, sha: string) =>
  async (store: StoreTx): Promise<string | undefined> => {
    const jobId = await findJob(store.tx, repository, sha);
    if (!jobId) return 'not a commit of a job';
    await noteCheck(store, { jobId, sha, afterMs: timing.checks.settleMs });
    return undefined;
  };

/** A commit of a job can be seen at an address. One that is no longer the head is passed over, and so is a setting that says where. */
export const notePreviewOf =
  ({ repository }: CommonFields, { sha, url }: { sha: string; url: string | null }) =>
  async (store: StoreTx): Promise<string | undefined> => {
    const { tx } = store;
    const jobId = await findJob(tx, repository, sha);
    if (!jobId) return 'not a commit of a job';
    const job = await lockJob(tx, jobId);
    if (job.status === 'archived' || (await findLastPush(tx, jobId)) !== sha) return 'no longer the head';
    const project = await findProject(tx, job.project_id);
    if (readStoredSettings(project?.settings).preview !== null)
      return 'the settings say where it can be seen, or that it is not wanted';
    return (await notePreview(store, job, { url, sha })) ? undefined : 'no address to link to, or it was noted before';
  };
