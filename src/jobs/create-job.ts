import { createId } from '../create-id.ts';
import { readStoredSettings } from '../repository/settings.ts';
import { sendTogether } from '../store/postgres/database.ts';
import { inTransaction, type Store } from '../store/store.ts';
import { insertChanges, insertImages } from '../store/tables/jobs/attachments.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { MessageContent } from '../store/tables/jobs/messages.ts';
import { openJob } from '../store/tables/jobs/open-job.ts';
import { lockProject } from '../store/tables/repositories/projects.ts';
import type { RateState } from '../store/tables/usage.ts';
import { countAgainstLimits, type LimitReached, type ProjectLimits } from './count-against-limits.ts';
import { describeAccepted, describeCreated, describeStarted } from './job-events.ts';

interface CreateJobRequest extends ProjectLimits, MessageContent {
  projectId: string;
  /** The automation that creates it. */
  automation?: string;
  /** null: the repository's setting, or its default branch. */
  base: string | null;
  /** null: the repository's setting if it is in `models`, or the first of these. */
  model: string | null;
  models: readonly [string, ...string[]];
  draft: boolean | null;
}

export type CreateJobResult =
  | { kind: 'accepted'; job: Job; messageId: string; rate: RateState | null }
  | LimitReached
  | { kind: 'project_gone' };

/** One transaction for counter, job, first message and wake-up, so that an accepted job cannot be lost. */
export async function createJob(store: Store, request: CreateJobRequest): Promise<CreateJobResult> {
  return inTransaction(store, async ({ tx, queue }) => {
    const project = await lockProject(tx, request.projectId);
    if (!project) return { kind: 'project_gone' };
    const counted = await countAgainstLimits({ tx }, request.projectId, request);
    if (counted.kind !== 'within') return counted;
    const settings = readStoredSettings(project.settings);
    const { models, automation = null } = request;
    const preferredModel = models.find((name) => name === settings.model);
    const values = {
      job_id: createId('job'),
      project_id: request.projectId,
      base: request.base ?? settings.base ?? project.default_branch,
      model: request.model ?? preferredModel ?? models[0],
      draft: request.draft ?? settings.draft,
      automation,
      asked_on: request.context?.conversation?.number ?? null,
    };
    const messageId = createId('msg');
    const message = { ...request, messageId };
    const events = [describeCreated(values), describeAccepted(message), ...describeStarted(message)];
    const [job] = await sendTogether(tx, (tx) => [
      openJob(tx, { job: values, message, events }),
      insertChanges(tx, messageId, request.changes),
      insertImages(tx, messageId, request.images),
      queue.sendWakeUp(tx),
    ]);
    return { kind: 'accepted', job, messageId, rate: counted.rate };
  });
}
