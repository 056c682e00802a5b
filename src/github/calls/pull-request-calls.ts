import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';
import { listAll, readIfFound } from '../client/reads.ts';
import { AmbiguousWrite } from '../refusals/errors.ts';
import { findPullRequestRefusal, type PullRequestRefusal } from '../refusals/pull-request-refusal.ts';
import { assertBodyLength, authorSchema } from './comment-calls.ts';

/** https://docs.github.com/en/rest/pulls/pulls#get-a-pull-request. List items have `merged_at`, but no `merged`. */
const pullRequestSchema = z
  .object({
    number: z.number(),
    node_id: z.string(),
    draft: z.boolean().nullish(),
    html_url: z.string(),
    state: z.enum(['open', 'closed']),
    merged_at: z.string().nullish(),
    title: z.string(),
    body: z.string().nullish(),
    base: z.object({ ref: z.string() }),
    head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: z.number() }).nullish() }),
    updated_at: z.coerce.date(),
  })
  .transform(({ number, state, title, head, ...pullRequest }) => ({
    number,
    nodeId: pullRequest.node_id,
    isDraft: pullRequest.draft ?? false,
    url: pullRequest.html_url,
    state,
    merged: typeof pullRequest.merged_at === 'string',
    title,
    body: pullRequest.body ?? '',
    base: pullRequest.base.ref,
    branch: head.ref,
    headSha: head.sha,
    /** Null: the head repository was deleted. */
    headRepositoryId: head.repo?.id ?? null,
    updatedAt: pullRequest.updated_at,
  }));

export type PullRequest = z.output<typeof pullRequestSchema>;

/** Null: closed, but not merged. */
const mergedSchema = z
  .object({
    number: z.number(),
    title: z.string(),
    html_url: z.string(),
    user: authorSchema,
    merged_at: z.coerce.date().nullish(),
  })
  .transform(({ number, title, html_url: url, user: author, merged_at: mergedAt }) =>
    mergedAt ? { number, title, url, author, mergedAt } : null,
  );

type OpenPullRequests = { kind: 'unchanged' } | { kind: 'listed'; etag: string | null; pullRequests: PullRequest[] };

/** `ambiguous`: it may exist, so look for it first. `exists`: look for it and adopt it. */
type CreatedPullRequest =
  | { kind: 'created'; pullRequest: PullRequest }
  | { kind: PullRequestRefusal }
  | { kind: 'ambiguous'; cause: AmbiguousWrite };

/** `not_ready`: not all of GitHub's servers know a new pull request yet, which passes within seconds. */
type UpdatedPullRequest = { kind: 'updated'; pullRequest: PullRequest } | { kind: 'not_ready' };

/** REST cannot do it. https://docs.github.com/en/graphql/reference/mutations#convertpullrequesttodraft */
const convertPullRequestToDraft = `
  mutation ($input: ConvertPullRequestToDraftInput!) {
    convertPullRequestToDraft(input: $input) { pullRequest { isDraft } }
  }`;

const convertedSchema = z.object({
  convertPullRequestToDraft: z.object({ pullRequest: z.object({ isDraft: z.literal(true) }) }),
});

export function createPullRequestCalls({ connection, owner, repo, name, repositoryId }: CallContext) {
  return {
    /** The newest pull request of a branch of this repository, open or closed. */
    async findPullRequest({ branch }: { branch: string }): Promise<PullRequest | undefined> {
      return connection.read(`look for the pull request of ${branch} in ${name}`, async (octokit) => {
        const newest = { state: 'all', sort: 'created', direction: 'desc', per_page: 100 } as const;
        const answer = await octokit.rest.pulls.list({ owner, repo, head: `${owner}:${branch}`, ...newest });
        // The filter names the owner. After a transfer it would find nothing, and a second pull request would be opened.
        if (!answer.url.toLowerCase().includes(`/repos/${name}/`.toLowerCase()))
          throw new Error(`${name} was renamed or transferred`);
        const found = z.array(pullRequestSchema).parse(answer.data);
        return found.find(
          (pullRequest) => pullRequest.headRepositoryId === repositoryId && pullRequest.branch === branch,
        );
      });
    },

    /** A pull request may be missing though it is open: closing another one between two pages shifts the list. `unchanged` costs no rate limit:
     * https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate */
    async listOpenPullRequests({ etag }: { etag: string | null }): Promise<OpenPullRequests> {
      return connection.read<OpenPullRequests>(
        `list the open pull requests of ${name}`,
        async ({ rest }) => {
          const etags: (string | undefined)[] = [];
          const pullRequests = await listAll(async (page) => {
            const headers = etags.length === 0 && etag !== null ? { headers: { 'if-none-match': etag } } : {};
            const answer = await rest.pulls.list({ owner, repo, state: 'open', ...page, ...headers });
            etags.push(answer.headers.etag);
            return { items: z.array(pullRequestSchema).parse(answer.data), link: answer.headers.link };
          });
          // An entity tag covers one page only.
          return { kind: 'listed', etag: (etags.length === 1 ? etags[0] : undefined) ?? null, pullRequests };
        },
        { 304: () => ({ kind: 'unchanged' }) },
      );
    },

    /** Those that were merged into a branch, the last changed first. */
    listMerged: ({ base, most }: { base: string; most: number }) =>
      connection.read(`list the merged pull requests of ${name}`, async ({ rest }) => {
        const lastChanged = { state: 'closed', sort: 'updated', direction: 'desc' } as const;
        const { data } = await rest.pulls.list({ owner, repo, base, ...lastChanged, per_page: most });
        const closed = z.array(mergedSchema).parse(data);
        return closed.filter((pullRequest) => pullRequest !== null);
      }),

    fetchPullRequest: (number: number): Promise<PullRequest | undefined> =>
      readIfFound(connection, `read pull request ${number} of ${name}`, async ({ rest }) =>
        pullRequestSchema.parse((await rest.pulls.get({ owner, repo, pull_number: number })).data),
      ),

    /** From a branch of this repository. Sent once; returns every expected outcome. */
    async createPullRequest(content: {
      title: string;
      head: string;
      base: string;
      body: string;
      draft: boolean;
    }): Promise<CreatedPullRequest> {
      assertBodyLength(content.body);
      try {
        return await connection.write<CreatedPullRequest>(
          `open a pull request from ${content.head} to ${content.base} in ${name}`,
          async ({ rest }) => {
            const { data } = await rest.pulls.create({ owner, repo, ...content });
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

    /** Idempotent. GitHub requires the permission to write contents, too. Refused if the plan has no drafts. */
    async convertToDraft({ number, nodeId }: PullRequest): Promise<void> {
      await connection.write(`convert pull request ${number} of ${name} to a draft`, async ({ graphql }) => {
        convertedSchema.parse(await graphql(convertPullRequestToDraft, { input: { pullRequestId: nodeId } }));
      });
    },

    /** Merges the base into a branch whose tip is still `headSha`. Does nothing where they conflict, or nothing is left to merge. */
    updateBranch: (number: number, headSha: string): Promise<void> =>
      connection.write(
        `merge the base into the branch of pull request ${number} of ${name}`,
        async ({ rest }) =>
          void (await rest.pulls.updateBranch({ owner, repo, pull_number: number, expected_head_sha: headSha })),
        { 422: () => {} },
      ),

    async updatePullRequest(
      number: number,
      changes: { title?: string; body?: string; state?: 'open' | 'closed'; base?: string },
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
