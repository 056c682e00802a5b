import { realTiming } from '../../timing.ts';
import type { Permissions } from '../auth/permissions.ts';
import type { CallSite } from '../client/call-context.ts';
import { createConnection } from '../client/connection.ts';
import type { Transport } from '../client/transport.ts';
import { doubtNotFound } from '../client/verify-not-found.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';
import { createCommentCalls } from './comment-calls.ts';
import { createCommitCalls } from './commit-calls.ts';
import { createFileCalls } from './file-calls.ts';
import { createPeopleCalls } from './people-calls.ts';
import { createOpenPullRequestCalls, createPullRequestCalls } from './pull-request-calls.ts';
import { createReactionCalls } from './reaction-calls.ts';
import { type Repository, repositorySchema } from './repository.ts';
import { createReviewCalls } from './review-calls.ts';
import { createRuleCalls } from './rule-calls.ts';

/** One repository, and a token that was minted for it. */
export interface RepositoryAccess {
  installationId: number;
  owner: string;
  repo: string;
  repositoryId: number;
  token: string;
  /** What the token may do, as `mintToken` returned it: a refusal can then name what is missing. */
  permissions: Permissions;
  /** How long a write waits for its slot before it is `Parked`. Default 30,000. */
  writePatienceMs?: number | undefined;
  /** Whether the token was minted a while ago: the repository may have moved out of its reach since. */
  isKept?: boolean;
  signal: AbortSignal;
}

export type RepositoryClient = ReturnType<typeof createRepositoryClient>;

/**
 * What a run needs of one repository, with one token and until one signal.
 *
 * Every function throws the signal's reason when aborted, `Parked` at a rate limit (nothing waits for one here), and `GitHubRefusal` with
 * `permission_missing`, `not_found` or `refused` for a refusal that is not one of its values, and with `installation_suspended`.
 * Reads are repeated and then throw `GitHubUnavailable`; writes are sent exactly once, but for what GitHub refuses as too early
 * (`writeOnNew`), and throw `AmbiguousWrite` when they may have been done. A token that has ended, a kept one that the repository moved
 * away from, or a write under a name the repository no longer has, is an `Error`: the next attempt mints and asks anew.
 *
 * `owner` and `repo` are the current name, as `fetchRepository` tells it: reads follow a renamed repository, writes do not.
 */
export function createRepositoryClient(
  options: RepositoryAccess & {
    transport: Transport;
    appId: number;
    fetchBotLogin: (signal: AbortSignal) => Promise<string>;
  },
) {
  const { transport, appId, fetchBotLogin, owner, repo, repositoryId, token, isKept, ...access } = options;
  const trusting = createConnection({ transport, authentication: { token }, ...access });
  const name = `${owner}/${repo}`;
  const gone = (cause?: unknown) => new GitHubRefusal({ reason: 'repository_gone', repository: name }, { cause });

  /** The repository under its current name. Throws `GitHubRefusal` `repository_gone`, also when another repository has taken the name. */
  async function fetchRepository(): Promise<Repository> {
    const repository = await trusting.read<Repository>(
      `read ${name}`,
      async ({ rest }) => repositorySchema.parse((await rest.repos.get({ owner, repo })).data),
      {
        404: (_answer, error) => {
          throw gone(error);
        },
      },
    );
    if (repository.repositoryId !== repositoryId) throw gone();
    return repository;
  }

  const connection = isKept ? doubtNotFound(trusting, { owner, repo, fetchRepository }) : trusting;
  const settleDelaysMs = [...(transport.settleDelaysMs ?? realTiming.github.settleDelaysMs)];
  const site: CallSite = { connection, settleDelaysMs, owner, repo, repositoryId, appId, fetchBotLogin };

  return {
    fetchRepository,
    ...createPullRequestCalls(site),
    ...createOpenPullRequestCalls(site),
    ...createCommentCalls(site),
    ...createReviewCalls(site),
    ...createReactionCalls(site),
    ...createPeopleCalls(site),
    ...createRuleCalls(site),
    ...createFileCalls(site),
    ...createCommitCalls(site),
  };
}
