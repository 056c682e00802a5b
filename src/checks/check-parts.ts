import type { GitHubApp } from '../github/auth/app.ts';
import type { ProjectLimits } from '../jobs/count-against-limits.ts';
import type { Log } from '../log.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { TakeStep } from '../steps.ts';
import type { Store } from '../store/store.ts';
import type { RunTask } from '../threads/threads.ts';
import type { Timing } from '../timing.ts';

export interface CheckParts extends Store {
  github: GitHubApp;
  openProject: OpenProject;
  runTask: RunTask;
  /** Hides the service's secrets in a text. */
  redact: (text: string) => string;
  /** What checks report has no rate limit of ours. */
  limits: ProjectLimits;
  timing: Timing;
  takeStep: TakeStep;
  log: Log;
}
