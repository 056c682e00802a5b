import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { readIfFound } from '../client/reads.ts';
import { fileSchema, type PullRequestFile } from './diff-calls.ts';

const changeSchema = z
  .object({
    number: z.number(),
    html_url: z.string(),
    title: z.string(),
    body: z.string().nullish(),
    user: z.object({ login: z.string() }).nullish(),
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
    /** Of a deleted account as GitHub shows it. */
    author: change.user?.login ?? 'ghost',
    state: typeof change.merged_at === 'string' ? ('merged' as const) : change.state,
    base: change.base.ref,
    headSha: change.head.sha,
    fileCount: change.changed_files,
  }));

const filesPerPage = 100;

export function createChangeCalls({ connection, owner, repo }: CallContext) {
  const name = `${owner}/${repo}`;

  return {
    /** A pull request with its files, at most `maxFiles`. Undefined: there is none with this number. */
    async fetchChange(number: number, { maxFiles }: { maxFiles: number }) {
      const change = await readIfFound(connection, `read pull request ${number} of ${name}`, async ({ rest }) =>
        changeSchema.parse((await rest.pulls.get({ owner, repo, pull_number: number })).data),
      );
      if (change === undefined) return undefined;
      const files: PullRequestFile[] = [];
      const wanted = Math.min(change.fileCount, maxFiles);
      for (let page = 1; files.length < wanted; page += 1) {
        const read = await connection.read(`list the files of pull request ${number} of ${name}`, async ({ rest }) => {
          const asked = { owner, repo, pull_number: number, per_page: filesPerPage, page };
          return z.array(fileSchema).parse((await rest.pulls.listFiles(asked)).data);
        });
        files.push(...read);
        if (read.length < filesPerPage) break;
      }
      return { ...change, files: files.slice(0, maxFiles) };
    },
  };
}
