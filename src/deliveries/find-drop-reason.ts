import { z } from 'zod';
import { settingsPath } from '../repository/settings.ts';
import type { DeliveryFields } from '../store/tables/delivery-fields.ts';

/**
 * Why a delivery is not even stored, or undefined where it may mean something. Pure, and before any lock or queue: a repository has many
 * comments that are nobody's instruction, above all those of bots and our own.
 */
export function findDropReason(name: string, fields: DeliveryFields, payload: object): string | undefined {
  if (name === 'push') return findPushDropReason(fields, payload);
  if (name === 'repository' && fields.action === 'edited') return findEditDropReason(payload);
  const { repository, pull_request: told } = fields;
  // A branch in a fork may have the name of one of ours, and is somebody else's all the same.
  if (told && told.head.repo?.id !== repository?.id) return 'from another repository';
  const writer = (fields.comment ?? fields.review)?.user;
  if (!fields.comment && !fields.review) return undefined;
  // What somebody changed or took back later is not what was asked.
  if (fields.action !== 'created' && fields.action !== 'submitted') return 'not newly written';
  if (fields.issue && !fields.issue.pull_request) return 'not a pull request';
  if (writer?.type !== 'User' || fields.sender?.type !== 'User') return 'not written by a person';
  // Also where an App passed on the words of a person, because nobody can know who wrote them.
  if (fields.comment?.performed_via_github_app) return 'written through an App';
  return undefined;
}

const editSchema = z.object({ changes: z.record(z.string(), z.unknown()) });

/** Of edits only another default branch counts: descriptions and topics are edited in whole organisations at once. */
function findEditDropReason(payload: object): string | undefined {
  const edit = editSchema.safeParse(payload);
  if (!edit.success || Object.hasOwn(edit.data.changes, 'default_branch')) return undefined;
  return 'the default branch is as it was';
}

const pushSchema = z.object({
  forced: z.boolean().default(false),
  commits: z
    .array(z.object({ added: z.array(z.string()), modified: z.array(z.string()), removed: z.array(z.string()) }))
    .default([]),
});
/** GitHub lists no more: https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const maxListedCommits = 2048;

/** Of pushes only those count that may have changed the settings. */
function findPushDropReason({ ref, repository }: DeliveryFields, payload: object): string | undefined {
  if (!repository || ref !== `refs/heads/${repository.default_branch}`) return 'not the default branch';
  const push = pushSchema.safeParse(payload);
  if (!push.success || push.data.forced || push.data.commits.length >= maxListedCommits) return undefined;
  const isChanged = push.data.commits.some(({ added, modified, removed }) =>
    [added, modified, removed].some((paths) => paths.includes(settingsPath)),
  );
  return isChanged ? undefined : 'the settings are as they were';
}
