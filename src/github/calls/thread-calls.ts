import { z } from 'zod';
import type { CallContext } from '../client/call-context.ts';

/** REST does not say which threads are resolved. https://docs.github.com/en/graphql/reference/objects#pullrequestreviewthread */
const query = `
  query ($owner: String!, $name: String!, $number: Int!, $after: String) {
    repository(owner: $owner, name: $name) {
      pullRequest(number: $number) {
        reviewThreads(first: 100, after: $after) {
          nodes { isResolved comments(first: 1) { nodes { databaseId } } }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }`;

const thread = z.object({
  isResolved: z.boolean(),
  comments: z.object({ nodes: z.array(z.object({ databaseId: z.number().nullish() })) }),
});
const threads = z.object({
  nodes: z.array(thread),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
});
const answerSchema = z.object({
  repository: z.object({ pullRequest: z.object({ reviewThreads: threads }).nullish() }).nullish(),
});

const maxPages = 10;

export function createThreadCalls({ connection, owner, repo }: CallContext) {
  return {
    /** The first comment of each thread that somebody has resolved. */
    async listResolvedThreads(number: number): Promise<ReadonlySet<number>> {
      const found = new Set<number>();
      let after: string | null = null;
      for (let page = 0; page < maxPages; page += 1) {
        const variables: object = { owner, name: repo, number, after };
        const data: z.infer<typeof answerSchema> = await connection.read(
          `read the threads of pull request ${number} of ${owner}/${repo}`,
          async ({ graphql }) => answerSchema.parse(await graphql(query, { ...variables })),
        );
        const { nodes = [], pageInfo } = data.repository?.pullRequest?.reviewThreads ?? {};
        for (const { isResolved, comments } of nodes) {
          const rootId = comments.nodes[0]?.databaseId;
          if (isResolved && rootId != null) found.add(rootId);
        }
        after = pageInfo?.endCursor ?? null;
        if (!pageInfo?.hasNextPage || after === null) break;
      }
      return found;
    },
  };
}
