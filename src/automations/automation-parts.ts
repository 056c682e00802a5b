import type { ChangeReader } from '../context/changes/create-change-reader.ts';
import type { GitHubApp } from '../github/auth/app.ts';
import type { Secrets } from '../github/auth/open-access.ts';
import type { ProjectLimits } from '../jobs/count-against-limits.ts';
import type { Log } from '../log.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { TakeStep } from '../steps.ts';
import type { Store } from '../store/store.ts';
import type { RunTask } from '../threads/threads.ts';

export interface AutomationParts extends Store {
  github: GitHubApp;
  secrets: Secrets;
  runTask: RunTask;
  openProject: OpenProject;
  changes: ChangeReader;
  /** For people: https://github.com. */
  webUrl: string;
  models: readonly [string, ...string[]];
  /** Automations have no rate limit of ours. */
  limits: ProjectLimits;
  /** How many each project may start on a day in UTC. */
  runsPerDay: number;
  takeStep: TakeStep;
  log: Log;
}
