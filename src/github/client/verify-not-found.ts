import type { Repository } from '../calls/repository.ts';
import { isRefusal } from '../refusals/read-refusal.ts';
import type { Connection, Otherwise } from './connection.ts';

/**
 * The same connection, for a token that was minted a while ago: a 404 counts only while the token still reaches the repository. Where the
 * repository has moved since, an `Error` is thrown, as for a token that has ended: the next attempt mints anew and learns of the move.
 */
export function verifyNotFound(
  connection: Connection,
  { owner, repo, fetchRepository }: { owner: string; repo: string; fetchRepository: () => Promise<Repository> },
): Connection {
  async function assertInReach(): Promise<void> {
    const outOfReach = `${owner}/${repo} is out of reach of a token that was kept`;
    const now = await fetchRepository().catch((error: unknown) => {
      throw isRefusal(error) ? new Error(outOfReach, { cause: error }) : error;
    });
    // A public repository is shown to whoever asks, wherever it moved.
    if (now.owner.toLowerCase() !== owner.toLowerCase()) throw new Error(outOfReach);
  }

  const doubt = <Result>(otherwise: Otherwise<Result> = {}): Otherwise<Result> => ({
    ...otherwise,
    404: async (answer, error) => {
      await assertInReach();
      if (!otherwise[404]) throw error;
      return otherwise[404](answer, error);
    },
  });

  return {
    signal: connection.signal,
    read: (what, request, otherwise) => connection.read(what, request, doubt(otherwise)),
    write: (what, request, otherwise) => connection.write(what, request, doubt(otherwise)),
  };
}
