import type { GitHubEvent } from './github-event.ts';
import { checkRun, checkSuite, deploymentStatus, status } from './handlers/checks.ts';
import { installation, installationRepositories, repository } from './handlers/installation.ts';
import { issueComment } from './handlers/issue-comment.ts';
import { issues } from './handlers/issues.ts';
import { pullRequest } from './handlers/pull-request.ts';
import { push } from './handlers/push.ts';
import { release } from './handlers/release.ts';
import { review, reviewComment } from './handlers/review.ts';

/** The events that Pagewright handles. `app.yml` subscribes to them, except those of installations, which every App receives. */
export const events: readonly GitHubEvent[] = [
  installation,
  installationRepositories,
  repository,
  pullRequest,
  issueComment,
  review,
  reviewComment,
  push,
  release,
  issues,
  checkRun,
  checkSuite,
  status,
  deploymentStatus,
];

export const findEvent = (name: string): GitHubEvent | undefined => events.find((event) => event.name === name);
