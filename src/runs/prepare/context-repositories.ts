import type { Repository } from '../../github/calls/repository.ts';
import type { OtherRepository } from '../../tools/other-repositories.ts';

/** A context repository at the commit that the run reads. */
export interface OpenRepository extends OtherRepository {
  /** As the settings name it. */
  name: string;
  sha: string;
  /** Its last known name and visibility. */
  repository: Repository;
}

/** The context repositories of a run. Each question whether one may still be read is asked of GitHub, at most every few seconds. */
export interface ContextRepositories extends AsyncDisposable {
  opened: readonly OpenRepository[];
  /** As the settings name them: also those that may not be read. */
  names: readonly string[];
  /** Undefined: it may be read. Otherwise why not, for people; the run's warnings have it from then on. */
  findObstacle(repository: OpenRepository, signal: AbortSignal): Promise<string | undefined>;
}

/** For a run that only publishes what is frozen. */
export const noContextRepositories: ContextRepositories = {
  opened: [],
  names: [],
  findObstacle: async () => undefined,
  async [Symbol.asyncDispose]() {},
};
