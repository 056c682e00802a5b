import { z } from 'zod';
import type { Caller } from '../../../harness/caller.ts';
import { createOctokit } from '../../../harness/create-octokit.ts';
import { eventually } from '../../../harness/eventually.ts';
import { createGitClient } from '../../../harness/git-client.ts';
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

export const readRuns = async (caller: Caller, jobId: string) => runsShape.parse(await caller.runs(jobId));

/** Resolves with the answer of `…/runs` when the newest run has that status. */
export const untilRunIs = (caller: Caller, jobId: string, status: 'working' | 'publishing') =>
  eventually(async () => {
    const page = await readRuns(caller, jobId);
    return page.runs.at(-1)?.status === status ? page : undefined;
  });

/** Reads the repository from GitHub and git, without the service. */
export function lookAt(world: World) {
  const { repository, installationId } = world;
  const octokit = createOctokit(world, installationId);
  const [owner = '', repo = ''] = repository.fullName.split('/');
  const place = { owner, repo };
  const git = (...args: string[]) => createGitClient().run(repository.gitDirectory, ...args);
  return {
    git,
    /** Without the default branch. */
    branches: async () =>
      (await git('for-each-ref', '--format=%(refname:short)', 'refs/heads'))
        .split('\n')
        .filter((name) => name !== '' && name !== 'main'),
    /** The SHAs of `from..branch`, newest first. */
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
