import type { Repository } from '../github/calls/repository.ts';
import type { Settings } from '../repository/settings.ts';
import type { Placed } from '../store/tables/repositories/context-repositories.ts';

/** An item of `context` in the settings. */
export type ContextEntry = Settings['context'][number];

export type ContextState =
  | 'ready'
  /** It names its own repository. */
  | 'itself'
  /** The App is not installed on it, or there is no such repository. */
  | 'not_installed'
  | 'suspended'
  | 'permission_missing'
  /** Its settings have mistakes, so they permit nothing. */
  | 'settings_invalid'
  | 'no_consent'
  /** Fewer people may see it than the documentation, and its consent does not say `public: true`. */
  | 'not_public';

/** Both sides say that runs may read it. */
export interface ReadyRepository {
  state: 'ready';
  /** As the settings name it. */
  name: string;
  problem: null;
  found: Placed;
  repository: Repository;
}

/** `problem`: for people, what is missing and where. `found`: where it is, as far as that is known. */
export interface ClosedRepository {
  state: Exclude<ContextState, 'ready'>;
  name: string;
  problem: string;
  found: Placed | null;
}

export type ContextRepository = ReadyRepository | ClosedRepository;
