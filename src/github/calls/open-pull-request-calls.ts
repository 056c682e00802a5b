import { z } from 'zod';
import type { CallSite } from '../client/call-site.ts';
import { listAll } from '../client/list-all.ts';
import { type PullRequest, pullRequestSchema } from './pull-request.ts';

/** `etag`: for asking next time only whether anything changed; null when GitHub cannot answer that. */
export type OpenPullRequests =
  | { kind: 'unchanged' }
  | { kind: 'listed'; etag: string | null; pullRequests: PullRequest[] };

/** The list of open pull requests of a repository client; its face says what it promises. */
export function createOpenPullRequestCalls({ connection, owner, repo }: CallSite) {
  return {
    /**
     * Every open pull request. With the `etag` of an earlier list it may be `unchanged`, which costs nothing of the rate limit:
     * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
     * When one is closed while the pages are read, another slips to a page that was read already: one that is missing need not be closed.
     */
    async listOpenPullRequests({ etag }: { etag: string | null }): Promise<OpenPullRequests> {
      return connection.read<OpenPullRequests>(
        `list the open pull requests of ${owner}/${repo}`,
        async ({ rest }) => {
          const etags: (string | undefined)[] = [];
          const pullRequests = await listAll(async (page) => {
            const isFirst = etags.length === 0;
            const answer = await rest.pulls.list({
              owner,
              repo,
              state: 'open',
              ...page,
              ...(isFirst && etag !== null ? { headers: { 'if-none-match': etag } } : {}),
            });
            etags.push(answer.headers.etag);
            return { items: z.array(pullRequestSchema).parse(answer.data), link: answer.headers.link };
          });
          // An entity tag stands for one page: the first may be as it was when the second is not.
          return { kind: 'listed', etag: (etags.length === 1 ? etags[0] : undefined) ?? null, pullRequests };
        },
        { 304: () => ({ kind: 'unchanged' }) },
      );
    },
  };
}
