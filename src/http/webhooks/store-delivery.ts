import type { Probot } from 'probot';
import { findDropReason } from '../../deliveries/find-drop-reason.ts';
import { isHappening } from '../../deliveries/is-happening.ts';
import { withDeadline } from '../../store/postgres/availability.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { Store } from '../../store/store.ts';
import { hasAutomationOf } from '../../store/tables/automations/automations.ts';
import { hasJobOfPullRequest } from '../../store/tables/jobs/jobs.ts';
import { insertDelivery } from '../../store/tables/repositories/deliveries.ts';
import { type DeliveryFields, deliveryFieldsSchema } from '../../store/tables/repositories/delivery-fields.ts';
import { realTiming } from '../../timing.ts';

/** The events that Pagewright handles. `app.yml` subscribes to them, except those of installations, which every App receives. */
export const events = [
  'installation',
  'installation_repositories',
  'repository',
  'pull_request.closed',
  'pull_request.reopened',
  'pull_request.edited',
  'issue_comment.created',
  'pull_request_review.submitted',
  'pull_request_review_comment.created',
  'push',
  'release',
  'issues.labeled',
] as const satisfies Parameters<Probot['on']>[0];

/** A webhook with a valid signature, as in Probot's context. */
interface ReceivedEvent {
  id: string;
  name: string;
  payload: object;
}

/**
 * Stores the needed fields of a delivery and its queue entry in one transaction, so that every stored delivery is processed. Idempotent by
 * id. Drops a delivery that cannot concern any job. Throws if it could not be stored: GitHub then shows the delivery as failed.
 */
export async function storeDelivery({ database, queue }: Store, { id, name, payload }: ReceivedEvent): Promise<void> {
  const fields = deliveryFieldsSchema.parse(payload);
  if (findDropReason(name, fields, payload) !== undefined) return;
  await withDeadline(database, { withinMs: realTiming.deliveries.storeWithinMs }, async (connection) => {
    if (!(await isWanted(connection, name, fields))) return;
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

/** Whether it may concern a job, or trigger an automation. */
async function isWanted(database: Database, name: string, fields: DeliveryFields): Promise<boolean> {
  if (isHappening(name, fields) && fields.repository && (await hasAutomationOf(database, fields.repository.id)))
    return true;
  if (name === 'release' || name === 'issues') return false;
  const place = findPullRequestPlace(fields);
  return place === undefined || hasJobOfPullRequest(database, place);
}

/** The pull request of a delivery, if it has one. A comment on the conversation does not carry the branch. */
function findPullRequestPlace({ repository, pull_request, issue }: DeliveryFields) {
  const number = pull_request?.number ?? issue?.number;
  if (!repository || number === undefined) return undefined;
  return { repositoryId: repository.id, number, branch: pull_request?.head.ref };
}
