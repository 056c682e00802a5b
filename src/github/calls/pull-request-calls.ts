import { z } from 'zod';
import type { CallSite } from '../client/call-context.ts';
import { listAll } from '../client/list-all.ts';
import { AmbiguousWrite } from '../refusals/errors.ts';
import { findPullRequestRefusal, type PullRequestRefusal } from '../refusals/pull-request-refusal.ts';
import { assertBodyLength } from './max-body-length.ts';

/** A pull request. `branch` is its head; `headRepositoryId` is null when the repository it came from is deleted. */
export interface PullRequest {
  number: number;
  url: string;
  state: 'open' | 'closed';
  merged: boolean;
  title: string;
  body: string;
  base: string;
  branch: string;
  headRepositoryId: number | null;
  updatedAt: Date;
}

/** https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request; items of a list have no `merged`, but all have `merged_at`. */
export const pullRequestSchema = z
  .object({
    number: z.number(),
    html_url: z.string(),
    state: z.enum(['open', 'closed']),
    merged_at: z.string().nullish(),
    title: z.string(),
    body: z.string().nullish(),
    base: z.object({ ref: z.string() }),
    head: z.object({ ref: z.string(), repo: z.object({ id: z.number() }).nullish() }),
    updated_at: z.coerce.date(),
  })
  .transform(
    (given): PullRequest => ({
      number: given.number,
      url: given.html_url,
      state: given.state,
      merged: typeof given.merged_at === 'string',
      title: given.title,
      body: given.body ?? '',
      base: given.base.ref,
      branch: given.head.ref,
      headRepositoryId: given.head.repo?.id ?? null,
      updatedAt: given.updated_at,
    }),
  );

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

/** `ambiguous`: it may exist or not, so look for it before anything else. `exists`: look for it and adopt it. */
export type CreatedPullRequest =
  | { kind: 'created'; pullRequest: PullRequest }
  | { kind: PullRequestRefusal }
  | { kind: 'ambiguous'; cause: AmbiguousWrite };

/** `not_ready`: GitHub does not see a new pull request everywhere yet, which passes within seconds. */
export type UpdatedPullRequest = { kind: 'updated'; pullRequest: PullRequest } | { kind: 'not_ready' };

/** The pull request calls of a repository client; its face says what they promise. */
export function createPullRequestCalls({ connection, owner, repo, repositoryId }: CallSite) {
  const name = `${owner}/${repo}`;

  return {
    /** The newest pull request of this repository's own branch, in whatever state; undefined if it never had one. */
    async findPullRequest({ branch }: { branch: string }): Promise<PullRequest | undefined> {
      return connection.read(`look for the pull request of ${branch} in ${name}`, async (octokit) => {
        const answer = await octokit.rest.pulls.list({
          owner,
          repo,
          state: 'all',
          head: `${owner}:${branch}`,
          sort: 'created',
          direction: 'desc',
          per_page: 100,
        });
        // The filter names the owner: under another one it would find nothing, and a second pull request would be opened.
        if (!answer.url.toLowerCase().includes(`/repos/${name}/`.toLowerCase()))
          throw new Error(`${name} has a new name`);
        const found = z.array(pullRequestSchema).parse(answer.data);
        return found.find(
          (pullRequest) => pullRequest.headRepositoryId === repositoryId && pullRequest.branch === branch,
        );
      });
    },

    /** Undefined when there is none of that number, or it is hidden from the App. */
    async fetchPullRequest(number: number): Promise<PullRequest | undefined> {
      return connection.read<PullRequest | undefined>(
        `read pull request ${number} of ${name}`,
        async ({ rest }) => pullRequestSchema.parse((await rest.pulls.get({ owner, repo, pull_number: number })).data),
        { 404: () => undefined },
      );
    },

    /** Opens a pull request from a branch of this repository. Sent once; every expected end is a value. */
    async createPullRequest(given: {
      title: string;
      head: string;
      base: string;
      body: string;
      draft: boolean;
    }): Promise<CreatedPullRequest> {
      assertBodyLength(given.body);
      try {
        return await connection.write<CreatedPullRequest>(
          `open a pull request from ${given.head} to ${given.base} in ${name}`,
          async ({ rest }) => {
            const { data } = await rest.pulls.create({ owner, repo, ...given });
            return { kind: 'created', pullRequest: pullRequestSchema.parse(data) };
          },
          {
            422: (answer, error) => {
              const kind = findPullRequestRefusal(answer.data);
              if (kind === undefined) throw error;
              return { kind };
            },
          },
        );
      } catch (error) {
        if (error instanceof AmbiguousWrite) return { kind: 'ambiguous', cause: error };
        throw error;
      }
    },

    /** Changes only what is given. Sent once; throws `AmbiguousWrite`. */
    async updatePullRequest(
      number: number,
      changes: { title?: string; body?: string; state?: 'open' | 'closed' },
    ): Promise<UpdatedPullRequest> {
      if (changes.body !== undefined) assertBodyLength(changes.body);
      return connection.write<UpdatedPullRequest>(
        `update pull request ${number} of ${name}`,
        async ({ rest }) => {
          const { data } = await rest.pulls.update({ owner, repo, pull_number: number, ...changes });
          return { kind: 'updated', pullRequest: pullRequestSchema.parse(data) };
        },
        {
          422: (answer, error) => {
            if (findPullRequestRefusal(answer.data) !== 'not_ready') throw error;
            return { kind: 'not_ready' };
          },
        },
      );
    },
  };
}
