import { z } from 'zod';
import type { ZodOpenApiPathItemObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { WebhookEvent } from '../../../store/tables/columns.ts';
import { timeSchema } from '../description/parameters.ts';
import { jobSchema } from '../jobs/job-resource.ts';
import { runSchema } from '../runs/runs-resource.ts';

const headers = z.object({
  'webhook-id': z.string().meta({ description: 'The same at every try.', example: 'whd_01jd2x8e4vf3r9c5w7k6t0mzqa' }),
  'webhook-timestamp': z.string().meta({ description: 'Unix time of this try, in seconds.', example: '1763669160' }),
  'webhook-signature': z.string().meta({
    description:
      '`v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64; two of them, separated by a space, after a rotation of the secret. https://www.standardwebhooks.com/',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

interface EventDescription {
  operationId: string;
  summary: string;
  run: z.ZodType;
}

const events: Record<WebhookEvent, EventDescription> = {
  'message.answered': {
    operationId: 'onMessageAnswered',
    summary: 'A run has answered messages: those of `data.run.messages` with the state `answered`',
    run: runSchema,
  },
  'job.completed': { operationId: 'onJobCompleted', summary: 'A job is completed', run: runSchema },
  'job.failed': { operationId: 'onJobFailed', summary: 'A job has failed', run: runSchema },
  'job.archived': {
    operationId: 'onJobArchived',
    summary: 'A job is archived',
    run: runSchema.nullable().meta({ description: 'The last run of the job. `null`: it had none.' }),
  },
};

function describeEvent(type: string, { operationId, summary, run }: EventDescription): ZodOpenApiPathItemObject {
  const data = z.object({ job: jobSchema.meta({ description: 'The job as it was then.' }), run });
  const timestamp = timeSchema.meta({ description: 'When it happened.' });
  const schema = z.object({ type: z.literal(type), timestamp, data });
  return {
    post: {
      operationId,
      summary,
      tags: ['webhooks'],
      security: [],
      requestParams: { header: headers },
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: {
        '2XX': {
          description: 'Received. Any other answer, and none within 10 seconds, makes Pagewright send it again.',
        },
      },
    },
  };
}

/** What receivers get. https://spec.openapis.org/oas/v3.1.1#oas-webhooks */
export const describeWebhooks: ZodOpenApiPathsObject = Object.fromEntries(
  Object.entries(events).map(([type, event]) => [type, describeEvent(type, event)]),
);
