import { closerPermissions } from '../github/calls/people-calls.ts';
import type { PullRequest } from '../github/calls/pull-request.ts';
import type { Project } from '../store/tables/projects.ts';
import type { DeliveryParts } from './event-handler.ts';

/**
 * Whether it was the App itself that closed the pull request, without merging it. GitHub is asked only where that may be, and by a token of
 * its own: an installation that grants nothing of issues still tells all else of its pull requests. Throws `RunFailure`
 * `permission_missing` there.
 */
export async function isClosedByUs(
  { openProject }: Pick<DeliveryParts, 'openProject'>,
  project: Project,
  { number, state, merged }: Pick<PullRequest, 'number' | 'state' | 'merged'>,
  signal: AbortSignal,
): Promise<boolean> {
  if (state !== 'closed' || merged) return false;
  await using access = await openProject(project, closerPermissions, signal);
  return access.client.isClosedByUs(number);
}
