import { createAppAuth } from '@octokit/auth-app';
import { Octokit } from '@octokit/rest';
import { z } from 'zod';
import type { Caller } from '../../harness/caller.ts';
import { eventually } from '../../harness/eventually.ts';
import { createGitClient } from '../../harness/git-client.ts';
import type { World } from './world.ts';

const messageShape = z.looseObject({
  id: z.string(),
  prompt: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
});
const runsShape = z.object({
  runs: z.array(
    z.looseObject({
      id: z.string(),
      number: z.number(),
      status: z.string(),
      code: z.string().nullable(),
      sentence: z.string().nullable(),
      turns: z.number(),
      commit: z.string().nullable(),
      messages: z.array(messageShape),
      effects: z.array(z.looseObject({ key: z.string(), state: z.string() })),
    }),
  ),
  waiting: z.array(messageShape),
  dropped: z.array(messageShape),
});

/** What `…/runs` tells of a job. */
export const readRuns = async (caller: Caller, jobId: string) => runsShape.parse(await caller.runs(jobId));

/** Resolves when a run of the job is at that status, with what `…/runs` tells then. */
export const untilRunIs = (caller: Caller, jobId: string, status: 'working' | 'publishing') =>
  eventually(async () => {
    const told = await readRuns(caller, jobId);
    return told.runs.at(-1)?.status === status ? told : undefined;
  });

/** The repository as people find it on GitHub and in git, beside the service. */
export function lookAt(world: World) {
  const { github, repository, installationId } = world;
  const { APP_ID: appId, PRIVATE_KEY: privateKey } = world.environment;
  const octokit = new Octokit({
    baseUrl: github.apiUrl,
    authStrategy: createAppAuth,
    auth: { appId, privateKey, installationId },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const [owner = '', repo = ''] = repository.fullName.split('/');
  const place = { owner, repo };
  const git = (...args: string[]) => createGitClient().run(repository.gitDirectory, ...args);
  return {
    git,
    /** The branches that are not the default branch. */
    branches: async () =>
      (await git('for-each-ref', '--format=%(refname:short)', 'refs/heads'))
        .split('\n')
        .filter((name) => name !== '' && name !== 'main'),
    /** The SHAs that `branch` has and `from` has not, newest first. */
    commits: async (branch: string, from = 'main') =>
      (await git('rev-list', branch, `^${from}`)).split('\n').filter(Boolean),
    file: (branch: string, path: string) => git('show', `${branch}:${path}`),
    changedFiles: async (branch: string) => (await git('diff', '--name-only', `main...${branch}`)).split('\n'),
    pullRequests: async () => (await octokit.rest.pulls.list({ ...place, state: 'all' })).data,
    pullRequest: async (number: number) => (await octokit.rest.pulls.get({ ...place, pull_number: number })).data,
    comments: async (number: number) =>
      (await octokit.rest.issues.listComments({ ...place, issue_number: number, per_page: 100 })).data,
    reviewComments: async (number: number) =>
      (await octokit.rest.pulls.listReviewComments({ ...place, pull_number: number, per_page: 100 })).data,
  };
}
