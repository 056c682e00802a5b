import { createOctokit } from '../../harness/create-octokit.ts';
import type { Project, World } from './world.ts';

/** The texts on GitHub about each pull request of a repository, newest first. */
export async function readConversations(world: World, { installationId, repository }: Project) {
  const { rest } = createOctokit(world, installationId);
  const [owner = '', repo = ''] = repository.fullName.split('/');
  const place = { owner, repo, per_page: 100 };
  const { data: pullRequests } = await rest.pulls.list({ ...place, state: 'all' });
  return Promise.all(
    pullRequests.map(async ({ number, title, body, head: { ref: branch } }) => {
      const comments = await rest.issues.listComments({ ...place, issue_number: number });
      const remarks = await rest.pulls.listReviewComments({ ...place, pull_number: number });
      const said = [...comments.data, ...remarks.data].filter(({ user }) => user?.type === 'Bot');
      return { number, branch, title, body: body ?? '', comments: said.map((comment) => comment.body ?? '') };
    }),
  );
}
