import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { readList } from '../client/reads.ts';

const tipsSchema = z.object({
  state: z.enum(['open', 'closed']),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string(), sha: z.string() }),
});

export const fileSchema = z
  .object({
    filename: z.string(),
    previous_filename: z.string().nullish(),
    status: z.enum(['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged']),
    additions: z.number(),
    deletions: z.number(),
    patch: z.string().nullish(),
  })
  .transform(({ filename, previous_filename: previous, status, additions, deletions, patch }) => ({
    path: filename,
    previousPath: previous ?? null,
    status,
    additions,
    deletions,
    /** null: binary, or too large for GitHub to show. */
    patch: patch ?? null,
  }));

export type PullRequestFile = z.infer<typeof fileSchema>;

export function createDiffCalls({ connection, owner, repo }: CallContext) {
  const name = `${owner}/${repo}`;

  return {
    /** Throws `GitHubRefusal` if there is no such pull request. `baseSha`: the tip of the target when the branch was pushed last, or when it ended. */
    fetchPullRequestTips: (number: number) =>
      connection.read(`read pull request ${number} of ${name}`, async ({ rest }) => {
        const { data } = await rest.pulls.get({ owner, repo, pull_number: number });
        const { head, base, state } = tipsSchema.parse(data);
        return { headSha: head.sha, baseSha: base.sha, base: base.ref, isOpen: state === 'open' };
      }),

    /** GitHub lists at most 3,000 files. https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files */
    listPullRequestFiles: (number: number): Promise<PullRequestFile[]> =>
      readList(
        connection,
        { what: `list the files of pull request ${number} of ${name}`, item: fileSchema },
        ({ rest }, page) => rest.pulls.listFiles({ owner, repo, pull_number: number, ...page }),
      ),
  };
}
