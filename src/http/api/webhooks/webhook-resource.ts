import { z } from 'zod';
import type { AllowedHosts } from '../../../config/urls.ts';
import { maxUrlLength, parseWebhookUrl, UrlRefused } from '../../../outbound/webhook-url.ts';
import { webhookDeliveryStates, webhookEvents } from '../../../store/tables/columns.ts';
import type { WebhookDelivery } from '../../../store/tables/webhooks/webhook-deliveries.ts';
import type { WebhookRow } from '../../../store/tables/webhooks/webhooks.ts';
import {
  component,
  countSchema,
  deliveryIdExample,
  text,
  textOrNull,
  timeSchema,
  webhookIdExample,
} from '../description/shared-schemas.ts';
import { mustBe } from '../requests/read-request.ts';

const shownWebhook = {
  id: z.string().meta({ example: webhookIdExample }),
  url: z.url().meta({ example: 'https://hooks.example.com/pagewright' }),
  events: z.array(z.enum(webhookEvents)),
  state: z.enum(['enabled', 'disabled']),
  disabledReason: textOrNull('Why it was disabled.', null),
  failingSince: timeSchema.nullable().meta({
    description: 'The first failure since the last success. After five days the webhook is disabled.',
    example: null,
  }),
  previousSecretUntil: timeSchema
    .nullable()
    .meta({ description: 'Until then, the previous secret is valid, too.', example: null }),
  createdAt: timeSchema,
};

export const webhookSchema = z.object(shownWebhook).meta({ id: 'Webhook' });

export const secretWebhookSchema = component('WebhookWithSecret', {
  ...shownWebhook,
  secret: text('Shown only now.', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
});

export function toWebhookResource(webhook: WebhookRow): z.infer<typeof webhookSchema> {
  const { previous_secret_until: until } = webhook;
  return {
    id: webhook.webhook_id,
    url: webhook.url,
    events: webhook.events,
    state: webhook.disabled_at ? 'disabled' : 'enabled',
    disabledReason: webhook.disabled_reason,
    failingSince: webhook.failing_since?.toISOString() ?? null,
    previousSecretUntil: until && until > new Date() ? until.toISOString() : null,
    createdAt: webhook.created_at.toISOString(),
  };
}

export const deliverySchema = component('WebhookDelivery', {
  id: text('The `webhook-id` of every try.', deliveryIdExample),
  type: z.enum([...webhookEvents, 'webhook.test']),
  state: z.enum(webhookDeliveryStates).describe('`failed`: it is not tried again.'),
  responseStatus: z
    .int()
    .nullable()
    .meta({ description: 'The HTTP status of the last answer. `null`: none yet.', example: 200 }),
  error: textOrNull('The error of the last try.', null),
  tries: countSchema.meta({ example: 1 }),
  jobId: z.string().nullable().describe('`null` for a test.'),
  runId: z.string().nullable(),
  createdAt: timeSchema.describe('When it happened.'),
  triedAt: timeSchema.nullable().describe('When the last try began.'),
  nextTryAt: timeSchema.nullable().meta({ description: 'Earlier deliveries of the job come first.', example: null }),
});

export const toDeliveryResource = (delivery: WebhookDelivery): z.infer<typeof deliverySchema> => ({
  id: delivery.delivery_id,
  type: delivery.type,
  state: delivery.state,
  responseStatus: delivery.response_status,
  error: delivery.error,
  tries: delivery.tries,
  jobId: delivery.job_id,
  runId: delivery.run_id,
  createdAt: delivery.at.toISOString(),
  triedAt: delivery.tried_at?.toISOString() ?? null,
  nextTryAt: delivery.state === 'waiting' ? delivery.due_at.toISOString() : null,
});

const eventNames = `one or more of: ${webhookEvents.join(', ')}`;

/** The body of a new webhook. */
export const createWebhookBody = ({ allowed }: { allowed: AllowedHosts }) =>
  z
    .strictObject(
      {
        url: z
          .string({ error: mustBe('a string') })
          .superRefine((text, context) => {
            const problem = findUrlProblem(text, allowed);
            if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
          })
          .meta({
            description:
              'Where to send POSTs: https, on port 443, or 1024 and above, at a public address, without credentials or a fragment.',
            format: 'uri',
            maxLength: maxUrlLength,
            example: 'https://hooks.example.com/pagewright',
          }),
        events: z
          .array(z.enum(webhookEvents, { error: `must be ${eventNames}` }), {
            error: `must be a list of ${eventNames}`,
          })
          .min(1, `must be a list of ${eventNames}`)
          .transform((names) => webhookEvents.filter((name) => names.includes(name)))
          .optional()
          .meta({
            description: 'What to send. Default: all but `automation.unchanged`.',
            override: { type: 'array', items: { type: 'string', enum: [...webhookEvents] }, minItems: 1 },
          }),
      },
      { error: mustBe('a JSON object') },
    )
    .meta({ id: 'CreateWebhook' });

function findUrlProblem(text: string, allowed: AllowedHosts): string | undefined {
  try {
    parseWebhookUrl(text, allowed);
    return undefined;
  } catch (error) {
    if (error instanceof UrlRefused) return error.message;
    throw error;
  }
}
