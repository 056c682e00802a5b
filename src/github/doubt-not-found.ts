import type { Connection, Otherwise } from './connection.ts';
import { isRefusal } from './refusal.ts';
import type { Repository } from './repository.ts';

/**
 * The same connection of a token that was kept, for one repository: that something is not there (404) counts only where the repository
 * still is in its reach. One that moved since is an `Error`, like a token that has ended: the next attempt mints anew, and learns of it.
 */
export function doubtNotFound(
  connection: Connection,
  { owner, repo, fetchRepository }: { owner: string; repo: string; fetchRepository: () => Promise<Repository> },
): Connection {
  async function assertInReach(): Promise<void> {
    const outOfReach = `${owner}/${repo} is out of reach of a token that was kept`;
    const now = await fetchRepository().catch((error: unknown) => {
      throw isRefusal(error) ? new Error(outOfReach, { cause: error }) : error;
    });
    // What is public is shown to whoever asks, wherever it moved.
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
