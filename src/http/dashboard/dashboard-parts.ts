import type { Automations } from '../../automations/create-automations.ts';
import type { Config } from '../../config/config.ts';
import type { ChangeReader } from '../../context/changes/create-change-reader.ts';
import type { ReadContextStates } from '../../context/create-context-states.ts';
import type { ReadDiff } from '../../diffs/read-diff.ts';
import type { ReadFileAt } from '../../diffs/read-files.ts';
import type { GitHubApp } from '../../github/auth/app.ts';
import type { UserAuthorization } from '../../github/auth/user-authorization.ts';
import type { Examined } from '../../health/examine.ts';
import type { EventFeed } from '../../job-feed/event-feed.ts';
import type { ProjectFeed } from '../../job-feed/project-feed.ts';
import type { ProjectLimits } from '../../jobs/count-against-limits.ts';
import type { Log } from '../../log.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { OpenProject } from '../../projects/open-project.ts';
import type { Roles } from '../../projects/roles.ts';
import type { Store } from '../../store/store.ts';
import type { RunTask } from '../../threads/threads.ts';
import type { ReadBody } from '../bodies/read-body.ts';
import type { OpenStream } from '../streams/open-streams.ts';

/** The part of the configuration that the dashboard needs. */
interface DashboardConfig {
  github: { webUrl: string };
  openai: { models: Config['openai']['models'] };
  projectLimits: ProjectLimits;
  operators: readonly string[];
  prices: Config['prices'];
  currency: Config['currency'];
}

/** What the pages need of the service. */
export interface ServiceParts {
  store: Store;
  config: DashboardConfig;
  /** null: the App's client id and secret are not set. */
  authorization: UserAuthorization | null;
  roles: Roles;
  /** Parts that do not work, and what to do about it. */
  problems: () => readonly { part: string; problem: string }[];
  /** The checks of `pagewright doctor`. Never throws. */
  examine: (signal: AbortSignal) => Promise<Examined[]>;
  outbound: Outbound;
  automations: Automations;
  openProject: OpenProject;
  readDiff: ReadDiff;
  changes: { readAtOnce: ChangeReader['readAtOnce'] };
  readFile: ReadFileAt;
  readContextStates: ReadContextStates;
  log: Log;
}

/** What they need of the App. */
export interface AppParts {
  fetchApp: (signal: AbortSignal) => Promise<{ slug: string; name: string }>;
  describeInstallations: GitHubApp['describeInstallations'];
  fetchInstallation: GitHubApp['fetchInstallation'];
}

/** What they share with the API. */
export interface SharedParts {
  feed: EventFeed;
  openStream: OpenStream;
  projectFeed: ProjectFeed;
  readBody: ReadBody;
  /** Scheme and host of the service, as people reach it. Known when the server listens. */
  origin: () => string;
}

export interface DashboardParts extends ServiceParts, AppParts, SharedParts {
  /** Reads foreign texts beside the event loop. */
  runTask: RunTask;
  /** Hides secrets in texts of the model and its tools. */
  redact: (text: string) => string;
}
