import { z } from 'zod';
import { openAccess } from '../../src/github/auth/open-access.ts';
import { closerPermissions } from '../../src/github/calls/people-calls.ts';
import type { RepositoryClient } from '../../src/github/calls/repository-client.ts';
import { archiveJob } from '../../src/jobs/archive-job.ts';
import { endRun } from '../../src/jobs/end-run.ts';
import { defaultSettings } from '../../src/repository/settings.ts';
import type { Audience } from '../../src/runs/checkout.ts';
import { publishingPermissions } from '../../src/runs/prepare/job-access.ts';
import { type FrozenChange, type Publication, publicationSchema } from '../../src/runs/publication.ts';
import { postAnswers } from '../../src/runs/publish/publish.ts';
import { upsertPullRequest } from '../../src/runs/publish/upsert-pull-request.ts';
import type { RunContext } from '../../src/runs/run-context.ts';
import { inLease } from '../../src/store/schedule/lease.ts';
import { findJob, type Job, updateJob } from '../../src/store/tables/jobs/jobs.ts';
import type { Run, RunEnd } from '../../src/store/tables/jobs/runs.ts';
import { findProjectOfJob, toRepositoryLocation } from '../../src/store/tables/repositories/projects.ts';
import { ourLogin, type Parts } from './create-parts.ts';

/** What the agent came to. `closing`: a change that leaves nothing to merge, so that GitHub closes the pull request. */
export type Outcome = 'change' | 'closing' | 'unchanged' | 'limit';

export const isChange = (outcome: Outcome) => outcome === 'change' || outcome === 'closing';

const published: RunEnd = { outcome: 'completed', code: 'published', sentence: 'It was published.' };

const ends: Record<Outcome, { summary: string; end: RunEnd }> = {
  change: { summary: 'It is changed.', end: published },
  closing: { summary: 'It is as it was before.', end: published },
  unchanged: {
    summary: 'It is right as it is.',
    end: { outcome: 'completed', code: 'unchanged', sentence: 'Nothing needed to change.' },
  },
  limit: {
    summary: 'The run reached its limit.',
    end: { outcome: 'failed', code: 'limit_turns', sentence: 'The run reached its limit.' },
  },
};

const isClosing = ({ summary }: Publication) => summary === ends.closing.summary;

/** What a run freezes that came to this. */
export function publicationOf({ job, run }: { job: Job; run: Run }, outcome: Outcome): Publication {
  const { summary, end } = ends[outcome];
  const { code, sentence } = end;
  const said = { end: { outcome: end.outcome, code, sentence }, summary, replies: [], limit: null };
  if (!isChange(outcome)) return publicationSchema.parse({ ...said, change: null });
  const change = {
    branch: job.branch ?? `pagewright/${job.job_id.slice(-8)}`,
    tip: null,
    sha: run.run_id.slice(-12),
    message: 'docs: a change',
    author: { name: ourLogin, email: 'bot@github.test' },
    date: new Date(),
    title: 'A change',
    description: summary,
    section: summary,
    newBody: summary,
    draft: false,
  };
  return publicationSchema.parse({ ...said, change });
}

export interface Pushed {
  name: string;
  isJobArchived: boolean;
}

interface Publishing {
  context: RunContext;
  publication: Publication;
  /** Grows by what is pushed. */
  pushes: Pushed[];
  /** Called between the push and its record. */
  onPushed: () => void;
}

const permissions = { ...closerPermissions, ...publishingPermissions };
const audience: Audience = {
  repository: {
    ...{ repositoryId: 1, owner: 'acme', repo: 'docs', fullName: 'acme/docs', defaultBranch: 'main', bytes: 0 },
    ...{ archived: false, disabled: false, hasPullRequests: true, isPrivate: true, visibility: 'private' },
  },
  guidance: {
    ...{ settings: defaultSettings, problems: [], writingRules: [], unread: [], sources: [] },
    pullRequestTemplate: undefined,
  },
};

const pushedSchema = z.object({ externalId: z.string() });

/** What `publish` and the end of `executeRun` do, with another way to write a commit. */
export async function publishByHand(parts: Parts, publishing: Publishing): Promise<void> {
  const { database, queue, runParts, github } = parts;
  const { context, publication } = publishing;
  const { redactor: secrets } = runParts;
  const { lease, job, run, signals } = context;
  const { publish: signal } = signals;
  const { end, change } = publication;
  const finish = () => inLease(database, lease, (tx) => endRun({ tx, queue }, run, end));
  if (!change && job.pull_request_number === null) return void (await finish());
  const project = await findProjectOfJob(database, job.job_id);
  if (!project) throw new Error('the job has no project');
  await using access = await openAccess({
    github,
    secrets,
    location: toRepositoryLocation(project),
    permissions,
    signal,
  });
  const { client } = access;
  const existing = change ? await fetchOwn(client, job.pull_request_number) : undefined;
  if (existing === 'closed') {
    await inLease(database, lease, (tx) => archiveJob({ tx, queue }, job.job_id, 'closed'));
    return;
  }
  if (change) await push(parts, change, publishing);
  const upserted = change && (await upsertPullRequest(context, client, { change, existing }));
  const number = upserted?.number ?? job.pull_request_number;
  if (number !== null && !upserted?.isNew) {
    const told = { publication, pullRequest: number, ...(change && { sha: change.sha }) };
    await postAnswers({ ...context, checkout: audience }, client, told);
  }
  await finish();
}

async function fetchOwn(client: RepositoryClient, number: number | null) {
  const own = number === null ? undefined : await client.fetchPullRequest(number);
  if (!own || own.state === 'open') return own;
  if (own.merged) return 'closed';
  return (await client.fetchCloser(own.number)) === 'other' ? 'closed' : own;
}

async function push(
  { database, world: { github, repository, rita } }: Parts,
  change: FrozenChange,
  { context: { job, run, effects }, publication, pushes, onPushed }: Publishing,
): Promise<void> {
  const { project_id: projectId, job_id: jobId, pull_request_number: number } = job;
  const { fullName } = repository;
  const { branch, sha } = change;
  const name = `${branch} ${sha}`;
  await effects.perform({
    key: `${run.run_id}:push`,
    request: { branch },
    schema: pushedSchema,
    find: async () => (pushes.some((push) => push.name === name) ? { externalId: sha } : undefined),
    act: async () => {
      const now = await findJob(database, { projectId, jobId });
      pushes.push({ name, isJobArchived: now?.status === 'archived' });
      const known = rita.listPullRequests(fullName).find((pullRequest) => pullRequest.number === number);
      const bot = github.asPerson(ourLogin);
      // GitHub closes a pull request that has no commits any more.
      if (isClosing(publication) && known?.state === 'open') await bot.forcePush(fullName, branch, 'main');
      else await bot.pushCommit(fullName, branch, { [`${jobId}.md`]: `# Page\n\n${sha}\n` }, change.message);
      onPushed();
      return { externalId: sha };
    },
    record: async (tx) => void (await updateJob(tx, jobId, { branch })),
  });
}
