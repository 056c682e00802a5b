import { z } from 'zod';
import { type FileDiff, fileStatuses } from '../../file-diff.ts';
import type { CallContext } from '../client/call-context.ts';
import { readIfFound, readList } from '../client/reads.ts';

const tipsSchema = z.object({
  state: z.enum(['open', 'closed']),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string(), sha: z.string() }),
});

const fileSchema = z
  .object({
    filename: z.string(),
    previous_filename: z.string().nullish(),
    status: z.enum(fileStatuses),
    additions: z.number(),
    deletions: z.number(),
    patch: z.string().nullish(),
  })
  .transform(
    ({ filename, previous_filename: previous, patch, ...file }): FileDiff => ({
      ...file,
      path: filename,
      previousPath: previous ?? null,
      patch: patch ?? null,
    }),
  );

const changeSchema = z
  .object({
    number: z.number(),
    html_url: z.string(),
    title: z.string(),
    body: z.string().nullish(),
    user: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
    state: z.enum(['open', 'closed']),
    merged_at: z.string().nullish(),
    base: z.object({ ref: z.string() }),
    head: z.object({ sha: z.string() }),
    changed_files: z.number(),
  })
  .transform((change) => ({
    number: change.number,
    url: change.html_url,
    title: change.title,
    body: change.body ?? '',
    /** GitHub shows a deleted account as `ghost`. */
    author: change.user?.login ?? 'ghost',
    /** Not every name of a bot ends in `[bot]`: Copilot's does not. */
    isByBot: change.user?.type === 'Bot',
    state: typeof change.merged_at === 'string' ? ('merged' as const) : change.state,
    base: change.base.ref,
    headSha: change.head.sha,
    fileCount: change.changed_files,
  }));

export function createDiffCalls({ connection, owner, repo, name }: CallContext) {
  const listFiles = (number: number, most?: number): Promise<FileDiff[]> =>
    readList(
      connection,
      { what: `list the files of pull request ${number} of ${name}`, item: fileSchema, ...(most && { most }) },
      ({ rest }, page) => rest.pulls.listFiles({ owner, repo, pull_number: number, ...page }),
    );

  return {
    /** Throws `GitHubRefusal` if there is no such pull request. `baseSha`: the tip of the target when the branch was pushed last, or when it ended. */
    fetchPullRequestTips: (number: number) =>
      connection.read(`read pull request ${number} of ${name}`, async ({ rest }) => {
        const { data } = await rest.pulls.get({ owner, repo, pull_number: number });
        const { head, base, state } = tipsSchema.parse(data);
        return { headSha: head.sha, baseSha: base.sha, base: base.ref, isOpen: state === 'open' };
      }),

    /** GitHub lists at most 3,000 files. https://docs.github.com/en/rest/pulls/pulls#list-pull-requests-files */
    listPullRequestFiles: (number: number): Promise<FileDiff[]> => listFiles(number),

    /** A pull request with its files, at most `maxFiles`. Undefined: there is none with this number. */
    async fetchChange(number: number, { maxFiles }: { maxFiles: number }) {
      const change = await readIfFound(connection, `read pull request ${number} of ${name}`, async ({ rest }) =>
        changeSchema.parse((await rest.pulls.get({ owner, repo, pull_number: number })).data),
      );
      if (change === undefined) return undefined;
      const most = Math.min(change.fileCount, maxFiles);
      const files = most === 0 ? [] : await listFiles(number, most);
      return { ...change, files: files.slice(0, maxFiles) };
    },
  };
}
