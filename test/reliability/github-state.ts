import { createOctokit } from '../../harness/create-octokit.ts';
import { createGitClient } from '../../harness/git-client.ts';
import type { World } from '../support/worlds/world.ts';

const docs = { owner: 'acme', repo: 'docs' };

/** What a job has done to GitHub, read from GitHub itself; the branch is known by the end of the job's id. */
export async function readGitHub(world: World, jobId: string) {
  const { gitDirectory } = world.repository;
  const git = createGitClient();
  const pattern = `refs/heads/pagewright/*${jobId.slice(-8)}`;
  const listed = await git.run(gitDirectory, 'for-each-ref', '--format=%(refname:short)', pattern);
  const branches = listed.split('\n').filter(Boolean);
  const subjects = await Promise.all(
    branches.map((branch) => git.run(gitDirectory, 'log', '--reverse', '--format=%s', `main..${branch}`)),
  );
  const rest = createOctokit(world, world.installationId).rest;
  const { data: all } = await rest.pulls.list({ ...docs, state: 'all', per_page: 100 });
  const pullRequests = all.filter(({ head }) => head.ref.endsWith(jobId.slice(-8)));
  const comments = await Promise.all(
    pullRequests.map(({ number }) => rest.issues.listComments({ ...docs, issue_number: number })),
  );
  return {
    branches: branches.length,
    /** First lines of the commits, oldest first. */
    commits: subjects.flatMap((text) => text.split('\n').filter(Boolean)),
    pullRequests: pullRequests.length,
    comments: comments.flatMap(({ data }) => data).length,
  };
}

/** What was asked to change something, oldest first: `POST /repos/acme/docs/pulls`. Tokens come and go, they are left out. */
export function listWrites({ github }: Pick<World, 'github'>): string[] {
  return github.requests
    .filter(
      ({ method, path }) => method !== 'GET' && !/git-upload-pack$|access_tokens$|^\/installation\/token$/.test(path),
    )
    .map(({ method, path }) => `${method} ${path}`);
}
