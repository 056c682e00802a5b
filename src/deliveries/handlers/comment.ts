import { maxPromptLength } from '../../jobs/max-prompt-length.ts';
import { pause } from '../../pause.ts';
import { isOlderCommentStored } from '../../store/tables/deliveries.ts';
import { findProjectByRepository } from '../../store/tables/projects.ts';
import { bound } from '../../text/bound.ts';
import { readComment } from '../../text/read-comment.ts';
import type { DeliveryParts, EventHandler, ReceivedDelivery } from '../event-handler.ts';
import { findOwnPullRequest } from '../find-job-pull-request.ts';
import { acceptInstruction } from '../instructions/accept-instruction.ts';
import { isTaken } from '../instructions/is-taken.ts';
import { stopByComment } from '../instructions/stop-by-comment.ts';

/** How long a comment waits in here for older ones, which are being processed. */
const patienceMs = 2_000;
const lookEveryMs = 200;
/**
 * A comment that came longer ago does not wait in here but comes again later: the older one waits for GitHub by then, and other deliveries
 * need this place in the queue.
 */
const youngMs = 30_000;
const putOffMs = 10_000;

/** A comment in a pull request's conversation: an instruction, a stop, or nothing to us. */
export const commentCreated: EventHandler = async (parts, delivery) => {
  const { deliveryId, fields, signal } = delivery;
  const { repository, issue, comment } = fields;
  if (!repository || !issue || !comment?.user) return 'the delivery names no comment';
  const { number } = issue;
  const project = await findProjectByRepository(parts.database, repository.id);
  if (!project || project.removed_at) return 'the repository is no project';
  const { slug } = await parts.github.fetchApp(signal);
  const read = readComment(comment.body ?? '', slug);
  if (read.kind === 'nothing') return 'says nothing to us';
  if (!isTaken(read, project)) return 'the repository’s settings keep comments out';
  const person = { login: comment.user.login, userId: comment.user.id };
  // This comes before GitHub is asked which pull request it is: else a stranger could cause that request with every comment.
  if (!(await parts.mayPrompt(project, person, signal))) return 'written by somebody without write access';
  const own = await findOwnPullRequest(parts, { repositoryId: repository.id, number }, signal);
  if (!own) return 'not one of our pull requests';
  const written = {
    source: 'comment' as const,
    person,
    deliveryId,
    sourceKey: `comment:${comment.id}`,
    writtenAt: new Date(comment.created_at),
    pullRequest: number,
    comments: [{ on: 'comment' as const, commentId: comment.id }],
  };
  if (read.kind === 'stop') return (store) => stopByComment(store, own, written);
  const place = { repositoryId: repository.id, number, commentId: comment.id };
  const again = await letOlderGoFirst(parts, place, delivery);
  if (again) return async () => again;
  return (store) =>
    acceptInstruction(store, own, {
      ...written,
      prompt: bound(read.text, maxPromptLength),
    });
};

/**
 * Lets the comments that were written before this one go first, even where their deliveries came later or have to wait, until they are
 * given up. Returns a moment to come again where one of them is still there.
 */
async function letOlderGoFirst(
  { database }: DeliveryParts,
  place: Parameters<typeof isOlderCommentStored>[1],
  { receivedAt, signal }: ReceivedDelivery,
): Promise<Date | undefined> {
  const isYoung = Date.now() - receivedAt.getTime() < youngMs;
  const until = Date.now() + (isYoung ? patienceMs : 0);
  while (await isOlderCommentStored(database, place)) {
    if (Date.now() >= until) return new Date(Date.now() + (isYoung ? patienceMs : putOffMs));
    await pause(lookEveryMs, signal);
  }
  return undefined;
}
