import { findDropReason } from '../../deliveries/find-drop-reason.ts';
import { withDeadline } from '../../store/postgres/availability.ts';
import type { Store } from '../../store/store.ts';
import { insertDelivery } from '../../store/tables/deliveries.ts';
import { type DeliveryFields, deliveryFieldsSchema } from '../../store/tables/delivery-fields.ts';
import { hasJobOfPullRequest } from '../../store/tables/jobs.ts';

/** A verified webhook, as Probot's context carries it. */
export interface ReceivedEvent {
  id: string;
  name: string;
  payload: object;
}

/** GitHub waits 10 s for an answer: https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks */
const withinMs = 4_000;

/**
 * Stores what is needed of a delivery with its queue entry, in one transaction: stored means it will be processed. A delivery
 * that comes again, under the same id, changes nothing; one that can mean nothing to us is not stored. Throws when it could not be
 * stored, so that GitHub shows it as failed.
 */
export async function storeDelivery({ database, queue }: Store, { id, name, payload }: ReceivedEvent): Promise<void> {
  const fields = deliveryFieldsSchema.parse(payload);
  if (findDropReason(name, fields, payload) !== undefined) return;
  const place = findPullRequestPlace(fields);
  await withDeadline(database, { withinMs }, async (connection) => {
    if (place && !(await hasJobOfPullRequest(connection, place))) return;
    await connection.transaction().execute(async (tx) => {
      const isNew = await insertDelivery(tx, {
        delivery_id: id,
        event: name,
        action: fields.action ?? null,
        repository_id: fields.repository?.id ?? null,
        review_id: fields.comment?.pull_request_review_id ?? null,
        fields: JSON.stringify(fields),
      });
      if (isNew) await queue.sendDelivery(tx, id);
    });
  });
}

/** Which pull request a delivery is about, if it is about one. A comment in its conversation does not tell the branch. */
function findPullRequestPlace({ repository, pull_request, issue }: DeliveryFields) {
  const number = pull_request?.number ?? issue?.number;
  if (!repository || number === undefined) return undefined;
  return { repositoryId: repository.id, number, branch: pull_request?.head.ref };
}
