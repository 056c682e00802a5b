import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import { createOctokit } from '../../../harness/create-octokit.ts';
import { type Fault, judgeJob } from '../../../harness/judge-job.ts';
import { laterChanges } from '../../../src/runs/publish/write-change.ts';
import { listRuns } from '../../../src/store/tables/jobs/runs.ts';
import type { TrialJob } from '../kinds/kind.ts';
import type { TrialProject } from '../world/trial-project.ts';
import type { World } from '../world/world.ts';
import { type Files, readTipFiles, subtractFiles } from './tip-files.ts';

/** The traces of a job on GitHub, in git, at the model server and in Pagewright's tables, without parts that differ from job to job. Lists only grow. */
export interface Outcome {
  status: string;
  branches: number;
  /** Of each commit, oldest first: author and first line, then its files, one item each. */
  commits: string[];
  files: Files;
  filesOfPeople: Files;
  pullRequests: string[];
  titles: string[];
  /** Line by line, without the list of requests, which depends on the rest of the job. */
  descriptions: string[];
  /** Comments of the conversation, then of the threads. */
  comments: string[];
  runs: string[];
  messages: string[];
  effects: string[];
  /** What a job at rest must hold and this one does not. */
  faults: Fault[];
  /** The model's requests, by turn; a repeated request has the same text. */
  modelRequests: string[];
  /** Writes that must not be repeated, as GitHub executed them. */
  writes: string[];
}

const branchShape = z.object({
  variables: z.object({ input: z.object({ branch: z.object({ branchName: z.string() }) }) }),
});
const headShape = z.object({ head: z.string() });
const cacheKeyShape = z.object({ prompt_cache_key: z.string() });

export async function readOutcome(world: World, { project, jobId }: TrialJob): Promise<Outcome> {
  const { database, github, model } = world;
  const job = await database.selectFrom('jobs').selectAll().where('job_id', '=', jobId).executeTakeFirstOrThrow();
  const runs = await listRuns(database, jobId);
  const messages = await database
    .selectFrom('messages')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('seq')
    .execute();
  const effects = await database.selectFrom('effects').selectAll().where('job_id', '=', jobId).orderBy('key').execute();
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', ['-C', project.gitDirectory, ...args])).stdout.split('\n').filter(Boolean);
  const branches = await git('for-each-ref', '--format=%(refname:short)', `refs/heads/pagewright/*${jobId.slice(-8)}`);
  const [branch] = branches;
  const log = branch
    ? await git('log', '--reverse', '--topo-order', '--name-only', '--format=%an: %s', `main..${branch}`)
    : [];
  const tip = branch ? await readTipFiles(project.gitDirectory, branch) : { files: {}, filesOfPeople: {} };
  const rest = createReader(world, project);
  const [owner = '', repo = ''] = project.fullName.split('/');
  const number = job.pull_request_number;
  const { data: listed } = await rest.pulls.list({ owner, repo, state: 'all', per_page: 100 });
  const own = listed.filter(({ head }) => branches.includes(head.ref));
  const place = { owner, repo, per_page: 100 };
  const inConversation =
    number === null ? [] : (await rest.issues.listComments({ ...place, issue_number: number })).data;
  const inThreads =
    number === null ? [] : (await rest.pulls.listReviewComments({ ...place, pull_number: number })).data;
  const said = [...inConversation.map((comment) => ({ ...comment, in_reply_to_id: null })), ...inThreads]
    .filter(({ user }) => user?.type === 'Bot')
    .map(({ body, in_reply_to_id: thread = null }) => ({ body: body ?? '', thread }));
  const isOwn = ({ path, body }: { path: string; body: unknown }) =>
    path.startsWith(`/repos/${project.fullName}/`) &&
    (number === null || !/\/(pulls|issues)\/\d+/.test(path) || path.includes(`/${number}/`)) &&
    (headShape.safeParse(body).data?.head ?? branch) === branch;
  const signed = github.requests.filter(
    ({ path, body, done }) =>
      done &&
      path === '/graphql' &&
      branches.includes(branchShape.safeParse(body).data?.variables.input.branch.branchName ?? ''),
  );
  const posts = github.requests.filter(
    (request) => request.done && request.method === 'POST' && notRepeatable.test(request.path) && isOwn(request),
  );
  const pushes = listPushes(world, project);
  return {
    status: job.status,
    branches: branches.length,
    commits: log.map((line) => line.replace(/by-rita-\d+/, 'by-rita-n')),
    ...tip,
    pullRequests: own.map(({ state, draft }) => `${state}${draft ? ' draft' : ''}`),
    titles: own.map(({ title }) => title),
    descriptions: own.flatMap(({ body }) =>
      plain(body ?? '')
        .replace(instructionSection, '')
        .split('\n')
        // The heading comes with the first later run.
        .filter((line) => line !== '' && line !== laterChanges),
    ),
    comments: [...inConversation, ...inThreads].map(({ user, body }) => `${user?.login}: ${plain(body ?? '')}`),
    runs: runs.map(({ phase, code }) => `${phase} ${code}`),
    messages: messages.map(({ state, turn_index: turn }) => `${state} in turn ${turn}`),
    // A duplicate that was deleted again is listed, but is no violation.
    effects: effects
      .filter(({ key }) => !key.includes(':double:'))
      .map(({ key, state }) => `${plain(key)} ${state}`)
      .toSorted(),
    faults: await judgeJob(database, jobId, said),
    modelRequests: model.requests
      .filter(({ body }) => cacheKeyShape.safeParse(body).data?.prompt_cache_key === jobId)
      .map(({ body }) => JSON.stringify(body)),
    writes: [...pushes, ...signed.map(() => 'signed commit'), ...posts.map(({ route }) => route)].toSorted(),
  };
}

/** Pushes to the project by any job: GitHub does not tell them apart. */
export const listPushes = ({ github }: World, { fullName }: TrialProject): string[] =>
  github.requests
    .filter(({ path, method, done }) => done && method === 'POST' && path === `/${fullName}.git/git-receive-pack`)
    .map(() => 'push');

/** A second POST makes a second one. */
const notRepeatable = /\/pulls$|\/comments$|\/replies$/;

const instructionSection = /^## Instructions$.*?(?=<!-- pagewright:end -->)/ms;

/** Removes parts that differ from job to job. */
const plain = (text: string) =>
  text
    .replace(/\b(job|run|msg)_\w+/g, '$1')
    .replace(/\b[0-9a-f]{40}\b|\b[0-9a-f]{7,12}\b/g, 'sha')
    .replace(/\b(?:plain|signed)-\d+\//g, 'account/')
    .replace(/(pull\/|#|comment:|review:|thread:|reply:)\d+/g, '$1n')
    .replace(/\d{6,}/g, 'n')
    .replace(/Run \d+/g, 'Run n')
    .replace(/^Checked: .* parsed/gm, 'Checked: n');

const readers = new WeakMap<World, Map<number, Octokit['rest']>>();

function createReader(world: World, { installationId }: TrialProject): Octokit['rest'] {
  const byInstallation = readers.get(world) ?? new Map<number, Octokit['rest']>();
  readers.set(world, byInstallation);
  const rest = byInstallation.get(installationId) ?? createOctokit(world, installationId).rest;
  byInstallation.set(installationId, rest);
  return rest;
}

export function subtract(after: Outcome, before: Outcome): Outcome {
  const commits = without(after.commits, before.commits);
  const nth = before.runs.length + 1;
  return {
    status: after.status,
    branches: after.branches,
    commits,
    files: subtractFiles(after.files, before.files, nth),
    filesOfPeople: subtractFiles(after.filesOfPeople, before.filesOfPeople, nth),
    pullRequests: after.pullRequests,
    // A run without a change keeps whatever commit it finds.
    titles: commits.length > 0 ? after.titles : [],
    descriptions: without(after.descriptions, before.descriptions),
    comments: without(after.comments, before.comments),
    runs: without(after.runs, before.runs),
    messages: without(after.messages, before.messages),
    effects: without(after.effects, before.effects),
    faults: after.faults,
    modelRequests: without(after.modelRequests, before.modelRequests),
    writes: without(after.writes, before.writes),
  };
}

function without(now: readonly string[], then: readonly string[]): string[] {
  const left = [...then];
  return now.filter((item) => {
    const at = left.indexOf(item);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
