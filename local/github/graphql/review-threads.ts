import { z } from 'zod';
import { repositoriesOfToken } from '../state/installations.ts';
import { hasPermission } from '../state/permissions.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { Token, World } from '../state/world.ts';
import { GraphqlError } from './graphql-error.ts';

export const repositoryArguments = z.object({ owner: z.string(), name: z.string() });

/** What a query may select below `repository`: https://docs.github.com/en/graphql/reference/objects#pullrequestreviewthread */
export function presentThreads(world: World, token: Token, { owner, name }: z.infer<typeof repositoryArguments>) {
  const wanted = `${owner}/${name}`.toLowerCase();
  const found = repositoriesOfToken(world, token).find((each) => fullNameOf(each).toLowerCase() === wanted);
  if (!found)
    throw new GraphqlError({
      type: 'NOT_FOUND',
      message: `Could not resolve to a Repository with the name '${owner}/${name}'.`,
    });
  return {
    pullRequest({ number }: { number?: unknown }) {
      if (!hasPermission(token.permissions, 'pull_requests', 'read'))
        throw new GraphqlError({ type: 'FORBIDDEN', message: 'Resource not accessible by integration' });
      const pullRequest = found.pullRequests.find((each) => each.number === number);
      if (!pullRequest) return null;
      const roots = pullRequest.reviewComments.filter(({ inReplyToId }) => inReplyToId === null);
      return {
        reviewThreads: {
          nodes: roots.map(({ id, isResolved = false }) => ({ isResolved, comments: { nodes: [{ databaseId: id }] } })),
          pageInfo: { hasNextPage: false, endCursor: null },
        },
      };
    },
  };
}
