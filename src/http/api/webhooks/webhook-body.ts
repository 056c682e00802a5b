import { z } from 'zod';
import type { AllowedHosts } from '../../../config/allowed-hosts.ts';
import { maxUrlLength, parseWebhookUrl, UrlRefused } from '../../../outbound/webhook-url.ts';
import { webhookEvents } from '../../../store/tables/columns.ts';
import { mustBe } from '../requests/read-request.ts';

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
