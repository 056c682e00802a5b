import { z } from 'zod';
import { requireApp } from '../apps/require-app.ts';
import { nodeId } from '../json/present.ts';
import { pullRequestUrl } from '../json/present-pull-request.ts';
import { announcePullRequest } from '../pulls/announce-pull-request.ts';
import { repositoriesOfToken } from '../state/installations.ts';
import { hasPermission } from '../state/permissions.ts';
import type { Token, World } from '../state/world.ts';
import { GraphqlError } from './graphql-error.ts';

/** https://docs.github.com/en/graphql/reference/input-objects#convertpullrequesttodraftinput */
export const convertToDraftInput = z.strictObject({
  pullRequestId: z.string(),
  clientMutationId: z.string().nullish(),
});

/**
 * Throws `GraphqlError`. Apps need to write contents, too: https://github.com/cli/cli/discussions/6924.
 * https://docs.github.com/en/graphql/reference/mutations#convertpullrequesttodraft
 */
export async function convertToDraft(
  world: World,
  token: Token,
  { pullRequestId, clientMutationId }: z.infer<typeof convertToDraftInput>,
) {
  const [found] = repositoriesOfToken(world, token).flatMap((repository) =>
    repository.pullRequests.flatMap((pullRequest) =>
      nodeId('PR', pullRequest.id) === pullRequestId ? [{ repository, pullRequest }] : [],
    ),
  );
  if (!found) throw refused('NOT_FOUND', `Could not resolve to a node with the global id of '${pullRequestId}'`);
  const { repository, pullRequest } = found;
  const mayWrite = ['pull_requests', 'contents'].every((name) => hasPermission(token.permissions, name, 'write'));
  if (!mayWrite) throw refused('FORBIDDEN', 'Resource not accessible by integration');
  const { bot } = requireApp(world);
  if (pullRequest.state === 'closed') throw refused('UNPROCESSABLE', 'Pull request is closed');
  if (!repository.draftsSupported)
    throw refused(
      'FORBIDDEN',
      `${bot.login} does not have permission to convert the pull request ${pullRequestId} to draft.`,
    );
  if (!pullRequest.draft) {
    pullRequest.draft = true;
    pullRequest.updatedAt = world.timestamp();
    await announcePullRequest(pullRequest, { action: 'converted_to_draft', sender: bot });
  }
  const { number, title, state } = pullRequest;
  return {
    clientMutationId: clientMutationId ?? null,
    pullRequest: {
      id: pullRequestId,
      isDraft: true,
      number,
      title,
      state: state.toUpperCase(),
      url: pullRequestUrl(pullRequest),
    },
  };
}

const refused = (type: string, message: string) => new GraphqlError({ type, message });
