import { createJob } from '../../jobs/create-job.ts';
import type { StoreTx } from '../../store/store.ts';
import type { Conversation } from '../../store/tables/columns.ts';
import { findJobAskedOn, hasMessageAskedOn, lockJob } from '../../store/tables/jobs/jobs.ts';
import { lockProject, lockProjectExclusively, type Project } from '../../store/tables/repositories/projects.ts';
import { type DeliveryParts, ignoredBecause } from '../delivery-context.ts';
import { acceptInstruction, describeBudget } from '../instructions/accept-instruction.ts';
import { reactWithEyes, type Trigger, toAsker } from '../instructions/trigger.ts';
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
export async function acceptMention(store: StoreTx, mention: Mention, choices: Choices): Promise<string | undefined> {
  const { tx } = store;
  const { project, conversation, trigger } = mention;
  const { project_id: projectId } = project;
  const { number } = conversation;
  const { sourceKey } = trigger;
  // Two mentions at once on the same issue are one job.
  await lockProjectExclusively(tx, projectId);
  if (!(await lockProject(tx, projectId))) return ignoredBecause.noProject;
  if (await hasMessageAskedOn(tx, { projectId, number, sourceKey })) return 'the mention is already a message';
  const open = await findJobAskedOn(tx, { projectId, number });
  const job = open && (await lockJob(tx, open.job_id));
  if (!job || job.status === 'archived') return begin(store, mention, choices);
  const issueOf = conversation.kind === 'issue' ? project.repository_id : undefined;
  const { prompt, changes } = mention;
  const place = { project, job, number, isElsewhere: true, issueOf };
  return acceptInstruction(store, place, trigger, { prompt, changes, context: { conversation } }, choices);
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
        context: { conversation: told, person },
        sourceKey,
        deliveryId,
        writtenAt,
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
    await reactWithEyes(store, trigger, { jobId: created.job.job_id, asker: toAsker(trigger) });
    return undefined;
  }
  // A job, so that somebody hears of it: its run ends before it asks the model.
  const refusal = { code: 'budget_exhausted', sentence: describeBudget(created.budget) };
  await create({ ...conversation, refusal }, { rateLimit: 0 });
  return undefined;
}
