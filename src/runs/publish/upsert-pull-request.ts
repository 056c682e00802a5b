import { z } from 'zod';
import { maxBodyLength } from '../../github/calls/comment-calls.ts';
import type { PullRequest } from '../../github/calls/pull-request-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { isRefusal } from '../../github/refusals/read-refusal.ts';
import { pause } from '../../pause.ts';
import { sendTogether } from '../../store/postgres/database.ts';
import { findEffect } from '../../store/tables/jobs/effects.ts';
import { recordEvents } from '../../store/tables/jobs/events.ts';
import { type Job, updateJob } from '../../store/tables/jobs/jobs.ts';
import { findFailedEnd, RunFailure } from '../failures.ts';
import type { FrozenChange } from '../publication.ts';
import type { RunContext } from '../run-context.ts';
import { replaceOwnSection } from './pull-request-text.ts';

const doneSchema = z.object({
  externalId: z.string(),
  number: z.number(),
  url: z.string(),
  title: z.string(),
  /** This run opened it, so it is the run's answer. */
  isNew: z.boolean(),
});
type Done = z.infer<typeof doneSchema>;

/** `existing`: the job's pull request, open or closed by our push. */
export async function upsertPullRequest(
  context: RunContext,
  client: RepositoryClient,
  { change, existing }: { change: FrozenChange; existing: PullRequest | undefined },
): Promise<Done> {
  const { parts, lease, job, run, effects } = context;
  const key = `${run.run_id}:pull-request`;
  const earlier = await findEffect(parts.database, { jobId: lease.jobId, key });
  // A comment on a pull request that this run opened and did not record tells the job its number.
  const isNew = !existing || (earlier !== undefined && 'number' in earlier.request && earlier.request.number === null);
  return effects.perform<Done>({
    key,
    request: {
      branch: change.branch,
      base: job.base,
      title: change.title,
      draft: change.draft,
      /** null: to be opened. */
      number: isNew ? null : existing.number,
    },
    schema: doneSchema,
    // Updating twice does no harm.
    ...(!existing && {
      find: async () => {
        const found = await client.findPullRequest(change);
        return found && toDone(found, true);
      },
      lagsMs: parts.timing.github.replicationDelaysMs,
    }),
    act: () => (existing ? update(context, client, { job, change, existing, isNew }) : open(context, client, change)),
    record: async (tx, { number, url, title }) => {
      const columns = { pull_request_number: number, pull_request_url: url, pull_request_title: title };
      const type = isNew ? 'pull_request.opened' : 'pull_request.updated';
      const event = { type, data: { runId: run.run_id, number, url, title } } as const;
      await sendTogether(tx, (tx) => [updateJob(tx, job.job_id, columns), recordEvents(tx, job.job_id, [event])]);
    },
  });
}

async function open(
  { parts, job, signals }: RunContext,
  client: RepositoryClient,
  change: FrozenChange,
): Promise<Done> {
  const { readyDelaysMs } = parts.timing.github;
  const { title, branch: head, newBody: body } = change;
  let draft = change.draft;
  for (let tries = 0; ; ) {
    const created = await client.createPullRequest({ title, head, base: job.base, body, draft }).catch((error) => {
      throw nameBranchLeft(error, head);
    });
    if (created.kind === 'created') return toDone(created.pullRequest, true);
    if (created.kind === 'ambiguous') throw created.cause;
    const found = created.kind === 'exists' ? await client.findPullRequest(change) : undefined;
    if (found) return toDone(found, true);
    if (created.kind === 'draft_unsupported' && draft) draft = false;
    else if (created.kind === 'base_missing') throw nameBranchLeft(baseMissing(job), head);
    else await waitUntilReady(readyDelaysMs[tries++], `open a pull request from ${head}`, signals.publish);
  }
}

/** Updates only our section of the body, and the title if it is still ours. Reads both again if a webhook reported an edit since `job` was read. */
async function update(
  context: RunContext,
  client: RepositoryClient,
  { job, change, existing, isNew }: { job: Job; change: FrozenChange; existing: PullRequest; isNew: boolean },
): Promise<Done> {
  const { parts, signals } = context;
  await context.reload();
  const isEdited = context.job.pull_request_updated_at?.getTime() !== job.pull_request_updated_at?.getTime();
  const now = isEdited ? await client.fetchPullRequest(existing.number) : undefined;
  const { title, body } = now ?? existing;
  const newBody = replaceOwnSection(body, change.section);
  const isTitleOurs = title === job.pull_request_title || title === change.title;
  const changes = {
    ...(existing.state === 'closed' && { state: 'open' as const }),
    ...(isTitleOurs && title !== change.title && { title: change.title }),
    // A body at GitHub's limit stays as it is.
    ...(newBody !== undefined && newBody !== body && newBody.length <= maxBodyLength && { body: newBody }),
  };
  const done = { ...toDone(existing, isNew), title: isTitleOurs ? change.title : (job.pull_request_title ?? '') };
  if (Object.keys(changes).length === 0) return done;
  for (const waitMs of [...parts.timing.github.readyDelaysMs, undefined]) {
    const updated = await client.updatePullRequest(existing.number, changes);
    if (updated.kind === 'updated') break;
    await waitUntilReady(waitMs, `update pull request ${existing.number}`, signals.publish);
  }
  return done;
}

async function waitUntilReady(waitMs: number | undefined, what: string, signal: AbortSignal): Promise<void> {
  if (waitMs === undefined) throw new Error(`could not ${what}: GitHub does not see what was pushed`);
  await pause(waitMs, signal);
}

const toDone = ({ number, url, title }: PullRequest, isNew: boolean): Done => ({
  externalId: String(number),
  number,
  url,
  title,
  isNew,
});

/** Nobody sees a branch without a pull request. The next run of the job opens one from it. */
function nameBranchLeft(error: unknown, branch: string): unknown {
  const end = isRefusal(error) ? findFailedEnd(error) : undefined;
  if (end === undefined) return error;
  return new RunFailure(
    end.code,
    `${end.sentence} The change is on the branch ${branch}, without a pull request. Send an instruction again to open it, or delete the branch.`,
    { cause: error },
  );
}

const baseMissing = ({ base }: Job) =>
  new RunFailure(
    'branch_missing',
    `The base branch ${base} no longer exists. Create it again, or start a job from a branch that exists.`,
  );
