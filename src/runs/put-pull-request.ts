import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { RunFailure } from '../errors.ts';
import type { PullRequest } from '../github/pull-request.ts';
import type { RepositoryClient } from '../github/repository-client.ts';
import type { Tx } from '../store/database.ts';
import { type Job, updateJob } from '../store/jobs.ts';
import type { Lease } from '../store/lease.ts';
import type { Run } from '../store/runs.ts';
import { performEffect } from './perform-effect.ts';
import type { Change } from './publication.ts';
import { replaceSection } from './pull-request-text.ts';
import type { RunParts } from './run-parts.ts';

export interface PutPullRequest {
  number: number;
  url: string;
  /** Opened by this run: it is the run's answer then, and wants no comment. */
  isNew: boolean;
}

interface Given {
  lease: Lease;
  job: Job;
  run: Run;
  client: RepositoryClient;
  change: Change;
  signal: AbortSignal;
}

/** For how long a branch that was just pushed may still be unknown to the part of GitHub that opens pull requests. */
const readyDelaysMs = [1_000, 2_000, 4_000, 8_000];

const doneSchema = z.object({
  externalId: z.string(),
  number: z.number(),
  url: z.string(),
  title: z.string(),
  isNew: z.boolean(),
});
type Done = z.infer<typeof doneSchema>;

/**
 * Opens the job's pull request, or brings the open one up to date. Undefined when somebody closed or merged it meanwhile: there
 * is nothing to publish on then, and no second one is opened.
 */
export async function putPullRequest({ database }: RunParts, given: Given): Promise<PutPullRequest | undefined> {
  const { lease, job, run, client, change, signal } = given;
  const known = job.pull_request_number === null ? undefined : await client.fetchPullRequest(job.pull_request_number);
  if (known && known.state !== 'open') return undefined;
  const done = await performEffect({
    database,
    lease,
    runId: run.run_id,
    key: `${run.run_id}:pull-request`,
    request: {
      branch: change.branch,
      base: job.base,
      title: change.title,
      draft: change.draft,
      number: known?.number ?? null,
    },
    schema: doneSchema,
    find: async () => (known ? undefined : toDone(await client.findPullRequest(change), true)),
    act: () => (known ? bringUpToDate(known, given) : open(given)),
    record: (tx, result) => remember(tx, job, result),
    signal,
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
    else {
      const waitMs = readyDelaysMs[tries++];
      if (waitMs === undefined)
        throw new Error(`could not open a pull request from ${head}: GitHub says ${created.kind}`);
      await delay(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

/** Only our own section of the body, and the title while it is the one that we wrote: what a person edited stays theirs. */
async function bringUpToDate(known: PullRequest, { job, client, change }: Given): Promise<Done> {
  const body = replaceSection(known.body, change.section);
  const isTitleOurs = known.title === job.pull_request_title;
  const changes = {
    ...(isTitleOurs && known.title !== change.title && { title: change.title }),
    ...(body !== undefined && body !== known.body && { body }),
  };
  if (Object.keys(changes).length > 0) await client.updatePullRequest(known.number, changes);
  const title = isTitleOurs ? change.title : (job.pull_request_title ?? '');
  return { ...toDone(known, false), title };
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
  new RunFailure('branch_missing', `The branch ${base} does not exist any more, so no pull request can target it.`);
