import type { Repository } from '../calls/repository.ts';
import { TokenLost } from '../refusals/errors.ts';
import { isRefusal } from '../refusals/read-refusal.ts';
import type { GitHubConnection, Otherwise } from './connection.ts';

/** For an older token, a 404 counts only while the token still reaches the repository. After a transfer this throws `TokenLost`, as for an
 * expired token: the next attempt mints a token and finds the transfer. */
export function verifyNotFound(
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
