import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApplicationFunction, Probot } from 'probot';
import type { ReceivedEvent } from './store-delivery.ts';

/** Answers a request and returns true, or leaves it to the next one. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** What the App listens to; `app.yml` subscribes to the same. Installation events come to every App unasked. */
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
] as const satisfies Parameters<Probot['on']>[0];

/**
 * Pagewright as a Probot application. Every event is stored and processed later: GitHub wants its answer within ten seconds, and
 * never sends again by itself what was lost here. The handlers serve everything else over HTTP.
 */
export function createApp({
  storeDelivery,
  handlers,
}: {
  storeDelivery: (event: ReceivedEvent) => Promise<void>;
  handlers: Handler[];
}): ApplicationFunction {
  return (probot, { addHandler }) => {
    probot.on([...events], ({ id, name, payload }) => storeDelivery({ id, name, payload }));
    for (const handler of handlers) addHandler(handler);
  };
}
