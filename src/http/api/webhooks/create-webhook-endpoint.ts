import { z } from 'zod';
import { SecretsKeyMissing } from '../../../config/secrets.ts';
import type { Outbound } from '../../../outbound/outbound.ts';
import { checkWebhookUrl, UrlRefused } from '../../../outbound/webhook-url.ts';
import { createWebhook, maxWebhooks } from '../../../outbound/webhooks.ts';
import { defaultWebhookEvents } from '../../../store/tables/columns.ts';
import { HttpProblem } from '../../problem.ts';
import { describeResponse } from '../description/responses.ts';
import { type Endpoint, toLocation } from '../endpoint.ts';
import type { Call } from '../requests/project-route.ts';
import { invalidRequest, readRequest } from '../requests/read-request.ts';
import { createWebhookBody, secretWebhookSchema, toWebhookResource } from './webhook-resource.ts';

export const createWebhookEndpoint: Endpoint = {
  method: 'post',
  path: '/webhook',
  operationId: 'createWebhook',
  summary: 'Create a webhook',
  description:
    'Pagewright sends it a signed POST when a job ends, or messages are answered. The secret is shown only once.',
  body: createWebhookBody({ allowed: [] }),
  answers: {
    201: describeResponse('The new webhook, with its secret.', secretWebhookSchema, {
      Location: z.string().describe('The path of the webhook.'),
    }),
  },
  problems: ['too-many-webhooks', 'webhooks-not-configured'],
  createHandler({ outbound }) {
    const schema = createWebhookBody(outbound);
    return async (call) => {
      const { url, events = defaultWebhookEvents } = await readRequest(call, { schema });
      await checkName(outbound, url);
      const { projectId } = call;
      const created = await withSecretsKey(call, () =>
        call.withDeadline(({ database }) => createWebhook({ database, ...outbound }, { projectId, url, events })),
      );
      if (created.kind === 'too_many') throw tooMany();
      const { webhook, secret } = created;
      const headers = { Location: toLocation(call, `/webhook/${webhook.webhook_id}`) };
      return { status: 201, headers, body: { ...toWebhookResource(webhook), secret } };
    };
  },
};

async function checkName({ allowed, resolve, timing }: Outbound, url: string): Promise<void> {
  try {
    await checkWebhookUrl(url, { allowed, resolve, withinMs: timing.resolveWithinMs });
  } catch (error) {
    if (!(error instanceof UrlRefused)) throw error;
    throw invalidRequest([{ pointer: '#/url', detail: error.message }]);
  }
}

const tooMany = () =>
  new HttpProblem(
    'too-many-webhooks',
    `This project has ${maxWebhooks} webhooks, which is the limit. Remove one first.`,
  );

/** The log has the cause, which is for the operator and not for callers. */
export async function withSecretsKey<T>({ request }: Call, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SecretsKeyMissing)) throw error;
    request.log.warn({ err: error }, 'the secret of a webhook could not be stored');
    throw new HttpProblem(
      'webhooks-not-configured',
      'This service cannot store the secrets of webhooks. Ask its operator to set SECRETS_KEY for all processes.',
    );
  }
}
