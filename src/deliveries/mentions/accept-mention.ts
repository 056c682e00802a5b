import { eyesOn } from '../../effects/answer.ts';
import { intendAnswer } from '../../effects/intend-answer.ts';
import { acceptMessage } from '../../jobs/add-message.ts';
import { createJob } from '../../jobs/create-job.ts';
import type { StoreTx } from '../../store/store.ts';
import type { Conversation } from '../../store/tables/columns.ts';
import { findJobAskedOn, hasMessageAskedOn, type Job, lockJob } from '../../store/tables/jobs/jobs.ts';
import { lockProject, lockProjectExclusively, type Project } from '../../store/tables/repositories/projects.ts';
import { type DeliveryParts, ignoredBecause } from '../delivery-context.ts';
import { describeBudget, tooManyWaiting } from '../instructions/accept-instruction.ts';
import type { Trigger } from '../instructions/trigger.ts';
import type { ReadConversation } from './read-conversation.ts';

interface Mention extends ReadConversation {
  project: Project;
  prompt: string;
  trigger: Trigger;
}

/** The limits and models of new jobs. */
interface Choices {
  limits: DeliveryParts['limits'];
  models: DeliveryParts['models'];
}

/**
 * Makes a mention a follow-up of the job that was asked for there while that is open, or else a new job; and reacts with eyes. Idempotent by
 * `sourceKey`, also after the job has ended.
 */
export async function acceptMention(
  store: StoreTx,
  mention: Mention,
  { limits, models }: Choices,
): Promise<string | undefined> {
  const { tx } = store;
  const { project, conversation, trigger } = mention;
  const { project_id: projectId } = project;
  const { number } = conversation;
  const { sourceKey, writtenAt } = trigger;
  // Two mentions at once on the same issue are one job.
  await lockProjectExclusively(tx, projectId);
  if (!(await lockProject(tx, projectId))) return ignoredBecause.noProject;
  if (await hasMessageAskedOn(tx, { projectId, number, sourceKey })) return 'the mention is already a message';
  const open = await findJobAskedOn(tx, { projectId, number });
  const job = open && (await lockJob(tx, open.job_id));
  if (!job || job.status === 'archived') return begin(store, mention, { limits, models });
  // Whole seconds: a mention of the same second may be newer than the stop.
  if (job.stopped_at && job.stopped_at > writtenAt) return 'stopped after it was written';
  const { source, person, deliveryId } = trigger;
  const { prompt, changes } = mention;
  const origin = { source, sourceKey, person, author: person.login, deliveryId, writtenAt };
  const result = await acceptMessage(
    store,
    job,
    { jobId: job.job_id, ...origin, conversation, prompt, changes },
    limits,
  );
  switch (result.kind) {
    case 'accepted':
      await reactWithEyes(store, job, mention);
      return undefined;
    case 'too_many_waiting':
      await refuse(store, job, mention, { why: 'too-many', body: tooManyWaiting });
      return 'too many instructions wait';
    case 'budget_exhausted':
      await refuse(store, job, mention, { why: 'budget', body: describeBudget(result.budget) });
      return 'the project has used up its tokens of this month';
    case 'archived':
    case 'rate_limited':
      throw new Error(`could not send a mention to ${job.job_id}: ${result.kind}`);
  }
}

async function begin(store: StoreTx, mention: Mention, { limits, models }: Choices): Promise<string | undefined> {
  const { project, trigger, prompt, changes, conversation, base } = mention;
  const { sourceKey, person, deliveryId, writtenAt } = trigger;
  const create = (told: Conversation, within: typeof limits) =>
    createJob(
      { database: store.tx, queue: store.queue },
      {
        projectId: project.project_id,
        source: trigger.source === 'issue' ? 'issue' : 'comment',
        author: person.login,
        prompt,
        changes,
        mention: { conversation: told, sourceKey, person, deliveryId, writtenAt },
        base,
        model: null,
        models,
        draft: null,
        ...within,
      },
    );
  const created = await create(conversation, limits);
  if (created.kind === 'project_gone') return ignoredBecause.noProject;
  if (created.kind === 'rate_limited') return 'the project has used up its requests of this hour';
  if (created.kind === 'accepted') {
    await reactWithEyes(store, created.job, mention);
    return undefined;
  }
  // A job, so that somebody hears of it: its run ends before it asks the model.
  const refusal = { code: 'budget_exhausted', sentence: describeBudget(created.budget) };
  await create({ ...conversation, refusal }, { rateLimit: 0 });
  return undefined;
}

async function reactWithEyes(store: StoreTx, { job_id: jobId }: Job, { trigger }: Mention): Promise<void> {
  const asker = { author: trigger.person.login, source: trigger.source, deliveryId: trigger.deliveryId };
  for (const { on, commentId } of trigger.comments)
    await intendAnswer(store, { jobId, asker, ...eyesOn(on, commentId) });
}

async function refuse(
  store: StoreTx,
  { job_id: jobId }: Job,
  { trigger, conversation: { kind, number }, project }: Mention,
  { why, body }: { why: string; body: string },
): Promise<void> {
  const asker = { author: trigger.person.login, source: trigger.source, deliveryId: trigger.deliveryId };
  const place = { pullRequest: number, ...(kind === 'issue' && { issueOf: project.repository_id }) };
  const answer = { kind: 'comment', ...place, body } as const;
  await intendAnswer(store, { jobId, asker, key: `${trigger.sourceKey}:${why}`, answer });
}
