import { createOctokit } from '../../../harness/create-octokit.ts';
import { eventually } from '../../../harness/eventually.ts';
import type { TrialJob } from '../kinds/kind.ts';
import type { Trial } from '../trial.ts';
import { around, killAt } from './kill-at.ts';

/** Projects that no round uses. */
const firstProject = 500;
const release = 'release/1.x';

interface Opened extends TrialJob {
  number: number;
  sha: string;
}

/** What happens to an open pull request of a job, and what must come of it, once. */
interface Happening {
  what: string;
  points: readonly string[];
  begin: (opened: Opened) => Promise<unknown>;
  count: (opened: Opened) => Promise<number>;
}

/**
 * SIGKILL of the worker right before and after each step between what happens to a pull request and its effect: a deployment gives its
 * description one section, a failing check is told to the agent once, and a merged change is made once on another branch.
 */
export async function tryFollowThrough({ world, rounds, ledger }: Trial): Promise<void> {
  await rounds.stop();
  const { database, github, rita } = world;

  async function read({ project, number }: Opened) {
    const [owner = '', repo = ''] = project.fullName.split('/');
    const rest = createOctokit(world, project.installationId);
    const { data: pullRequest } = await rest.pulls.get({ owner, repo, pull_number: number });
    const { data: onRelease } = await rest.pulls.list({ owner, repo, state: 'all', base: release });
    return { body: pullRequest.body ?? '', onRelease };
  }

  const listJobs = async (projectId: string) =>
    (await database.selectFrom('jobs').select('job_id').where('project_id', '=', projectId).execute()).map(
      ({ job_id: jobId }) => jobId,
    );

  const happenings: Happening[] = [
    {
      what: 'a deployment',
      points: around(['process delivery', 'give answer', 'record given answer']),
      begin: async ({ project: { fullName }, sha }) =>
        rita.deploy(fullName, {
          ...{ sha, ref: 'x', environment: 'Preview', state: 'success' },
          environmentUrl: 'https://docs.example.com',
        }),
      count: async (opened) => (await read(opened)).body.split('## Preview').length - 1,
    },
    {
      what: 'a failing check',
      points: around(['process delivery', 'report checks']),
      begin: async ({ project: { fullName }, sha }) =>
        rita.report(fullName, { name: 'vale', headSha: sha, conclusion: 'failure', title: 'Spelling' }),
      count: async ({ jobId }) => {
        const told = database.selectFrom('messages').select('state').where('job_id', '=', jobId);
        return (await told.where('source', '=', 'checks').execute()).length;
      },
    },
    {
      what: 'a merge',
      points: around(['process delivery', 'begin', 'give answer', 'record given answer']),
      begin: ({ project: { fullName }, number }) => rita.mergePullRequest(fullName, number),
      count: async (opened) => (await read(opened)).onRelease.length,
    },
  ];

  const all = happenings.flatMap(({ points, ...happening }) => points.map((point) => ({ point, ...happening })));
  const first = await world.spawnWorker({ CLAIMS: 'open' });
  const jobs = await Promise.all(all.map((_, nth) => createJob(firstProject + nth)));
  await world.settled(jobs.map(({ jobId }) => jobId));
  await first.kill('SIGTERM');

  const broken: string[] = [];
  for (const [nth, { point, what, begin, count }] of all.entries()) {
    const job = jobs[nth];
    if (!job) continue;
    const opened = await readOpened(job);
    const { doomed } = await killAt(world, point, async () => begin(opened));
    await world.expireLeases(doomed);
    const heir = await world.spawnHeir(doomed, { CLAIMS: 'open', isSameDisk: nth % 2 === 0 });
    const about = `killed ${point}, ${what}`;
    await eventually(async () => (await count(opened)) > 0 || undefined, { what: about, withinMs: 120_000 })
      .then(async () => world.settled(await listJobs(job.project.projectId)))
      .catch((error: Error) => broken.push(error.message));
    await heir.kill('SIGTERM');
    const times = await count(opened);
    if (times !== 1) broken.push(`${about}: it has an effect ${times} times`);
    world.forgetTrialJob(job);
  }
  broken.push(...github.duplicates());
  ledger.count(11, 'follow-through', all.length, broken);

  async function createJob(nth: number): Promise<TrialJob> {
    const project = await world.project('plain', nth);
    const settings = `also_to: [${release}]\n`;
    await rita.pushCommit(project.fullName, release, { 'version.md': '# Version 1\n' }, 'Keep a version');
    await rita.pushCommit(project.fullName, 'main', { '.github/pagewright.yml': settings }, 'Settings');
    return world.createJob(project, 'first run');
  }

  async function readOpened(job: TrialJob): Promise<Opened> {
    const { pullRequest, ...rest } = await world.refreshTrialJob(job);
    const { commit_sha: sha } = await database
      .selectFrom('runs')
      .select('commit_sha')
      .where('job_id', '=', job.jobId)
      .executeTakeFirstOrThrow();
    if (pullRequest === null || sha === null) throw new Error('the first run opened no pull request');
    return { ...rest, pullRequest, number: pullRequest, sha };
  }
}
