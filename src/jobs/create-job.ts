import { createId } from '../create-id.ts';
import { readStoredSettings } from '../repository/settings.ts';
import { sendTogether } from '../store/postgres/send-together.ts';
import { inTransaction, type Store } from '../store/store.ts';
import type { Conversation, MessageContext, OccasionSubject } from '../store/tables/columns.ts';
import { insertChanges } from '../store/tables/jobs/changes.ts';
import { insertImages, type NewImage } from '../store/tables/jobs/images.ts';
import type { Job } from '../store/tables/jobs/jobs.ts';
import type { NamedPullRequest } from '../store/tables/jobs/named-pull-request.ts';
import { openJob } from '../store/tables/jobs/open-job.ts';
import { lockProject } from '../store/tables/repositories/projects.ts';
import type { RateState } from '../store/tables/usage/rate-counters.ts';
import { countAgainstLimits, type LimitReached, type ProjectLimits } from './count-against-limits.ts';
import { describeAccepted, describeCreated, describeStarted } from './job-events.ts';

interface CreateJobRequest extends ProjectLimits {
  projectId: string;
  prompt: string;
  /** Pull requests that go with it, as they are now. */
  changes?: readonly NamedPullRequest[];
  /** Images that were sent with it. */
  images?: readonly NewImage[];
  /** Default: by the API. */
  source?: 'api' | 'dashboard' | 'automation' | 'issue' | 'comment';
  /** The automation that creates it, and what triggered that. */
  automation?: { name: string; occasions: OccasionSubject[] };
  /** For a job that people ask for on an issue, or on a pull request of somebody else. */
  mention?: {
    conversation: Conversation;
    sourceKey: string;
    person: NonNullable<MessageContext['person']>;
    deliveryId: string;
    writtenAt: Date;
  };
  /** The name of an API key, or a login. */
  author: string;
  /** The API key that sends it. */
  keyId?: string;
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
    const { models } = request;
    const preferredModel = models.find((name) => name === settings.model);
    const { source = 'api', author, keyId, prompt, automation, mention } = request;
    const values = {
      job_id: createId('job'),
      project_id: request.projectId,
      base: request.base ?? settings.base ?? project.default_branch,
      model: request.model ?? preferredModel ?? models[0],
      draft: request.draft ?? settings.draft,
      automation: automation?.name ?? null,
      asked_on: mention?.conversation.number ?? null,
    };
    const messageId = createId('msg');
    const context = mention
      ? { conversation: mention.conversation, person: mention.person }
      : automation && { occasions: automation.occasions };
    const { sourceKey, deliveryId, writtenAt } = mention ?? {};
    const message = { messageId, source, author, prompt, keyId, context, sourceKey, deliveryId, writtenAt };
    const events = [describeCreated(values), describeAccepted(message), ...describeStarted(message)];
    const [job] = await sendTogether(tx, (tx) => [
      openJob(tx, { job: values, message, events }),
      insertChanges(tx, message.messageId, request.changes),
      insertImages(tx, message.messageId, request.images),
      queue.sendWakeUp(tx),
    ]);
    return { kind: 'accepted', job, messageId, rate: counted.rate };
  });
}
