import { z } from 'zod';
import type { CallSite } from '../client/call-site.ts';
import { AmbiguousWrite } from '../refusals/ambiguous-write.ts';
import { findPullRequestRefusal, type PullRequestRefusal } from '../refusals/pull-request-refusal.ts';
import { assertBodyLength } from './max-body-length.ts';
import { type PullRequest, pullRequestSchema } from './pull-request.ts';

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
