import { createOctokit } from '../../../harness/create-octokit.ts';
import { eventually } from '../../../harness/eventually.ts';
import { hijack } from './hijack.ts';
import type { Project, World } from './world.ts';

export type Conversation = Awaited<ReturnType<typeof openConversation>>;

/** A pull request of ours on which people can comment. */
export async function openConversation(world: World) {
  const project = await world.addProject({ 'index.md': '# Docs\n' });
  const calls = [{ name: 'write_file', arguments: { path: 'page.md', content: '# Page\n\nOne.\n\nTwo.\n' } }];
  const { jobId } = await hijack(world, project, { calls, words: { summary: 'Done.', title: 'Write a page' } });
  return {
    project,
    jobId,
    fullName: project.repository.fullName,
    /** The instructions that the job took, the first one included. */
    async listPrompts(): Promise<string[]> {
      const messages = world.database.database.selectFrom('messages').select('prompt').where('job_id', '=', jobId);
      return (await messages.execute()).map(({ prompt }) => prompt);
    },
    /** Resolves when every delivery is processed and the job's runs have ended. Returns the deliveries that are still waiting. */
    async settled(): Promise<string[]> {
      await world.github.deliveries.settled();
      const left = await untilProcessed(world);
      await project.caller.settled(jobId);
      return left;
    },
  };
}

/** Resolves when no delivery waits, or after a while with those that still do. */
export async function untilProcessed({ database: { database } }: World): Promise<string[]> {
  const waiting = database.selectFrom('deliveries').select(['event', 'delivery_id']).where('state', '=', 'stored');
  const look = async () => (await waiting.execute()).length === 0 || undefined;
  // The reviews of one conversation follow one another, a few seconds each.
  await eventually(look, { withinMs: 240_000, everyMs: 100 }).catch(() => {});
  return (await waiting.execute()).map(({ event, delivery_id }) => `${event} ${delivery_id}`);
}

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
