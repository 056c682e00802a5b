import { z } from 'zod';
import { settingsPath } from '../repository/settings.ts';
import type { DeliveryFields } from '../store/tables/repositories/delivery-fields.ts';
import { isMergedIntoDefault } from './is-happening.ts';

/** Why a delivery is not stored, or undefined if it is. Runs before any query: most comments are not instructions, above all those of bots. */
export function findDropReason(name: string, fields: DeliveryFields, payload: object): string | undefined {
  // A webhook of a repository or an organization with the same URL and secret sends these too.
  if (aboutInstallations.includes(name) && !fields.installation) return 'not of an installation';
  if (name === 'push') return findPushDropReason(fields, payload);
  if (name === 'repository' && fields.action === 'edited') return findEditDropReason(payload);
  const { repository, pull_request: pullRequest } = fields;
  if (name === 'release') return findReleaseDropReason(fields);
  if (name === 'issues') return findLabelDropReason(fields);
  // A fork may have a branch with the name of a job's branch. Where it is merged from matters to no automation.
  const isFromFork = pullRequest && pullRequest.head.repo?.id !== repository?.id;
  if (isFromFork && !isMergedIntoDefault(fields)) return 'from another repository';
  const writer = (fields.comment ?? fields.review)?.user;
  if (!fields.comment && !fields.review) return undefined;
  if (fields.action !== 'created' && fields.action !== 'submitted') return 'not a new comment or review';
  if (fields.issue && !fields.issue.pull_request) return 'not a pull request';
  if (writer?.type !== 'User' || fields.sender?.type !== 'User') return 'not written by a person';
  // Nobody can verify the author of a text that an App posts for a person.
  if (fields.comment?.performed_via_github_app) return 'posted through an App';
  return undefined;
}

const aboutInstallations = ['installation', 'installation_repositories', 'repository'];

function findReleaseDropReason({ action, release }: DeliveryFields): string | undefined {
  if (!release || release.draft) return 'not published';
  return ['created', 'published', 'released'].includes(action ?? '') ? undefined : 'not a new release';
}

function findLabelDropReason({ issue, label, sender }: DeliveryFields): string | undefined {
  if (!issue || !label || issue.pull_request) return 'not a label of an issue';
  return sender?.type === 'User' ? undefined : 'not by a person';
}

const editSchema = z.object({ changes: z.record(z.string(), z.unknown()) });

function findEditDropReason(payload: object): string | undefined {
  const edit = editSchema.safeParse(payload);
  if (!edit.success || Object.hasOwn(edit.data.changes, 'default_branch')) return undefined;
  return 'the default branch did not change';
}

const pushSchema = z.object({
  forced: z.boolean().default(false),
  commits: z
    .array(z.object({ added: z.array(z.string()), modified: z.array(z.string()), removed: z.array(z.string()) }))
    .default([]),
});
/** The most that GitHub lists: https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const maxListedCommits = 2048;

function findPushDropReason({ ref, repository }: DeliveryFields, payload: object): string | undefined {
  if (!repository || ref !== `refs/heads/${repository.default_branch}`) return 'not the default branch';
  const push = pushSchema.safeParse(payload);
  if (!push.success || push.data.forced || push.data.commits.length >= maxListedCommits) return undefined;
  const isChanged = push.data.commits.some(({ added, modified, removed }) =>
    [added, modified, removed].some((paths) => paths.includes(settingsPath)),
  );
  return isChanged ? undefined : 'the settings file did not change';
}
