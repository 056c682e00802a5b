import { z } from 'zod';
import { maxBodyLength } from '../../github/calls/max-body-length.ts';
import type { PullRequest } from '../../github/calls/pull-request-calls.ts';
import type { RepositoryClient } from '../../github/calls/repository-client.ts';
import { pause } from '../../pause.ts';
import type { Tx } from '../../store/postgres/database.ts';
import { findEffect } from '../../store/tables/effects.ts';
import { type Job, updateJob } from '../../store/tables/jobs.ts';
import { realTiming } from '../../timing.ts';
import { RunFailure } from '../failures.ts';
import { performEffect } from '../perform-effect.ts';
import { readJobAnew } from '../read-job-anew.ts';
import type { HeldRun, RunParts } from '../run-parts.ts';
import type { Change } from './publication.ts';
import { replaceSection } from './pull-request-text.ts';

export interface UpsertedPullRequest {
  number: number;
  url: string;
  /** Opened by this run: it is the run's answer then, and wants no comment. */
  isNew: boolean;
}

interface Given extends HeldRun {
  client: RepositoryClient;
  change: Change;
  /** The job's pull request as GitHub has it now, open or closed by ourselves; undefined: there is none yet. */
  known: PullRequest | undefined;
  signal: AbortSignal;
}

const doneSchema = z.object({
  externalId: z.string(),
  number: z.number(),
  url: z.string(),
  title: z.string(),
  isNew: z.boolean(),
});
type Done = z.infer<typeof doneSchema>;

/** Opens the job's pull request, or brings the open one up to date. */
export async function upsertPullRequest(parts: RunParts, given: Given): Promise<UpsertedPullRequest> {
  const { lease, job, run, client, change, known } = given;
  const key = `${run.run_id}:pull-request`;
  const before = await findEffect(parts.database, { jobId: lease.jobId, key });
  // One that this run was about to open may be known by what somebody wrote on it, and not by our record.
  const isNew = !known || (before !== undefined && 'number' in before.request && before.request.number === null);
  const done = await performEffect(parts, given, {
    key,
    request: {
      branch: change.branch,
      base: job.base,
      title: change.title,
      draft: change.draft,
      /** null: it is to be opened. */
      number: isNew ? null : known.number,
    },
    schema: doneSchema,
    // Bringing it up to date twice is the same as once: there is nothing to look for.
    ...(!known && {
      find: async () => toDone(await client.findPullRequest(change), true),
      lagsMs: realTiming.github.replicationDelaysMs,
    }),
    act: async () => (known ? bringUpToDate(await readAnew(parts, given, known), { ...given, isNew }) : open(given)),
    record: (tx, result) => remember(tx, job, result),
  });
  return { number: done.number, url: done.url, isNew: done.isNew };
}

async function open({ job, client, change, signal }: Given): Promise<Done> {
  const { title, branch: head, newBody: body } = change;
  let draft = change.draft;
  for (let tries = 0; ; ) {
    const created = await client.createPullRequest({ title, head, base: job.base, body, draft });
    if (created.kind === 'created') return toDone(created.pullRequest, true);
    if (created.kind === 'ambiguous') throw created.cause;
    const existing = created.kind === 'exists' ? await client.findPullRequest(change) : undefined;
    if (existing) return toDone(existing, true);
    if (created.kind === 'draft_unsupported' && draft) draft = false;
    else if (created.kind === 'base_missing') throw baseMissing(job);
    else
      await waitUntilReady(realTiming.github.readyDelaysMs[tries++], {
        what: `open a pull request from ${head}`,
        signal,
      });
  }
}

/**
 * The words on the pull request as they are now, where we have heard since it was read that somebody changed them: a push takes its time.
 * Whether it is open was decided before that.
 */
async function readAnew(parts: RunParts, given: Given, known: PullRequest): Promise<PullRequest> {
  const heard = ({ job }: HeldRun) => job.pull_request_updated_at?.getTime();
  if (heard(await readJobAnew(parts, given)) === heard(given)) return known;
  const now = await given.client.fetchPullRequest(known.number);
  return { ...known, ...(now && { title: now.title, body: now.body }) };
}

/** Only our own section of the body, and the title while it is one that we wrote: what a person edited stays theirs. */
async function bringUpToDate(
  known: PullRequest,
  { job, client, change, isNew, signal }: Given & { isNew: boolean },
): Promise<Done> {
  const body = replaceSection(known.body, change.section);
  const isTitleOurs = known.title === job.pull_request_title || known.title === change.title;
  const changes = {
    ...(known.state === 'closed' && { state: 'open' as const }),
    ...(isTitleOurs && known.title !== change.title && { title: change.title }),
    // A body that a person filled to GitHub's limit stays as it is.
    ...(body !== undefined && body !== known.body && body.length <= maxBodyLength && { body }),
  };
  const title = isTitleOurs ? change.title : (job.pull_request_title ?? '');
  if (Object.keys(changes).length === 0) return { ...toDone(known, isNew), title };
  for (const waitMs of [...realTiming.github.readyDelaysMs, undefined]) {
    const updated = await client.updatePullRequest(known.number, changes);
    if (updated.kind === 'updated') break;
    await waitUntilReady(waitMs, { what: `update pull request ${known.number}`, signal });
  }
  return { ...toDone(known, isNew), title };
}

async function waitUntilReady(
  waitMs: number | undefined,
  { what, signal }: { what: string; signal: AbortSignal },
): Promise<void> {
  if (waitMs === undefined) throw new Error(`could not ${what}: GitHub does not see what was pushed`);
  await pause(waitMs, signal);
}

function toDone(pullRequest: PullRequest, isNew: boolean): Done;
function toDone(pullRequest: PullRequest | undefined, isNew: boolean): Done | undefined;
function toDone(pullRequest: PullRequest | undefined, isNew: boolean): Done | undefined {
  if (!pullRequest) return undefined;
  const { number, url, title } = pullRequest;
  return { externalId: String(number), number, url, title, isNew };
}

async function remember(tx: Tx, job: Job, { number, url, title }: Done): Promise<void> {
  await updateJob(tx, job.job_id, { pull_request_number: number, pull_request_url: url, pull_request_title: title });
}

const baseMissing = ({ base }: Job) =>
  new RunFailure(
    'branch_missing',
    `The base branch ${base} no longer exists. Create it again, or start a job from a branch that exists.`,
  );
