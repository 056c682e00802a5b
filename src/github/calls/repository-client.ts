import { realTiming } from '../../timing.ts';
import type { Permissions } from '../auth/permissions.ts';
import type { CallContext } from '../client/call-context.ts';
import { createConnection, type GitHubConnection, type Otherwise } from '../client/connection.ts';
import type { Transport } from '../client/transport.ts';
import { TokenLost } from '../refusals/errors.ts';
import { GitHubRefusal } from '../refusals/github-refusal.ts';
import { isRefusal } from '../refusals/read-refusal.ts';
import { createCheckCalls } from './check-calls.ts';
import { createCommentCalls } from './comment-calls.ts';
import { createCommitCalls } from './commit-calls.ts';
import { createDiffCalls } from './diff-calls.ts';
import { createIssueCalls } from './issue-calls.ts';
import { createPeopleCalls } from './people-calls.ts';
import { createPullRequestCalls } from './pull-request-calls.ts';
import { type Repository, repositorySchema } from './repository.ts';
import { createReviewCalls } from './review-calls.ts';
import { createRuleCalls } from './rule-calls.ts';

export interface RepositoryCredentials {
  installationId: number;
  owner: string;
  repo: string;
  repositoryId: number;
  token: string;
  /** As `mintToken` returned them: a refusal names the missing ones. */
  permissions: Permissions;
  writePatienceMs?: number | undefined;
  /** Whether the token was minted earlier: the repository may have been transferred since. */
  isKept?: boolean;
  signal: AbortSignal;
}

export type RepositoryClient = ReturnType<typeof createRepositoryClient>;

/**
 * Throws the signal's reason, `Parked` at a rate limit, `GitHubRefusal`, and `TokenLost` for an expired token or after a transfer or rename:
 * the next attempt mints a token. Reads are retried, then throw `GitHubUnavailable`. Writes are sent once, except by `writeOnNew`, and throw
 * `AmbiguousWrite` when GitHub may have done them. Writes do not follow a rename: `owner` and `repo` must be current (`fetchRepository`).
 */
export function createRepositoryClient(
  options: RepositoryCredentials & {
    transport: Transport;
    appId: number;
    fetchBotLogin: (signal: AbortSignal) => Promise<string>;
  },
) {
  const { transport, appId, fetchBotLogin, owner, repo, repositoryId, token, isKept, ...access } = options;
  const direct = createConnection({ transport, authentication: { token }, ...access });
  const name = `${owner}/${repo}`;
  const gone = (cause?: unknown) => new GitHubRefusal({ reason: 'repository_gone', repository: name }, { cause });

  /** The repository under its current name. Throws `GitHubRefusal` `repository_gone`, also when another repository took the name. */
  async function fetchRepository(): Promise<Repository> {
    const repository = await direct.read<Repository>(
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

  /** Whether a name, such as a former one, leads to this repository. Other repositories that the token cannot see have no name for it. */
  async function isNameOf(fullName: string): Promise<boolean> {
    const [named = '', repoNamed = ''] = fullName.split('/');
    return direct.read<boolean>(
      `read ${fullName}`,
      async ({ rest }) => {
        const { data } = await rest.repos.get({ owner: named, repo: repoNamed });
        return repositorySchema.parse(data).repositoryId === repositoryId;
      },
      { 403: () => false, 404: () => false },
    );
  }

  const connection = isKept ? verifyNotFound(direct, { owner, repo, fetchRepository }) : direct;
  const settleDelaysMs = [...(transport.settleDelaysMs ?? realTiming.github.settleDelaysMs)];
  const context: CallContext = { connection, settleDelaysMs, owner, repo, name, repositoryId, appId, fetchBotLogin };

  return {
    fetchRepository,
    isNameOf,
    ...createPullRequestCalls(context),
    ...createCommentCalls(context),
    ...createDiffCalls(context),
    ...createCheckCalls(context),
    ...createIssueCalls(context),
    ...createReviewCalls(context),
    ...createPeopleCalls(context),
    ...createRuleCalls(context),
    ...createCommitCalls(context),
  };
}

/** For an older token, a 404 counts only while the token still reaches the repository. After a transfer this throws `TokenLost`, as for an
 * expired token: the next attempt mints a token and finds the transfer. */
function verifyNotFound(
  connection: GitHubConnection,
  { owner, repo, fetchRepository }: { owner: string; repo: string; fetchRepository: () => Promise<Repository> },
): GitHubConnection {
  async function assertReachable(): Promise<void> {
    const unreachable = `the kept token no longer reaches ${owner}/${repo}`;
    const repository = await fetchRepository().catch((error: unknown) => {
      throw isRefusal(error) ? new TokenLost(unreachable, { cause: error }) : error;
    });
    // Any token reads a public repository, also after a transfer.
    if (repository.owner.toLowerCase() !== owner.toLowerCase()) throw new TokenLost(unreachable);
  }

  const verify = <Result>(otherwise: Otherwise<Result> = {}): Otherwise<Result> => ({
    ...otherwise,
    404: async (answer, error) => {
      await assertReachable();
      if (!otherwise[404]) throw error;
      return otherwise[404](answer, error);
    },
  });

  return {
    signal: connection.signal,
    read: (what, request, otherwise) => connection.read(what, request, verify(otherwise)),
    write: (what, request, otherwise) => connection.write(what, request, verify(otherwise)),
  };
}
