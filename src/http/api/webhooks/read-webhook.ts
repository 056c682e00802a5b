import { isId } from '../../../ids.ts';
import type { Store } from '../../../store/store.ts';
import { findWebhook, type WebhookKey, type WebhookRow } from '../../../store/tables/webhooks/webhooks.ts';
import { type Call, resourceNotFound } from '../requests/project-route.ts';

/** The webhook of the path, which may not exist. Throws the problem 404 for an invalid id. */
export function readWebhookKey({ request, projectId }: Call): WebhookKey {
  const { webhookId } = request.params;
  if (!isId('whk', webhookId)) throw resourceNotFound();
  return { projectId, webhookId };
}

/** Throws the problem 404 if the project has no such webhook. */
export async function readWebhook({ database }: Store, call: Call): Promise<WebhookRow> {
  const webhook = await findWebhook(database, readWebhookKey(call));
  if (!webhook) throw resourceNotFound();
  return webhook;
}
