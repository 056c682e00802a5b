import { z } from 'zod';
import type { ZodOpenApiPathItemObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { DescribeEvent } from '../../../outbound/deliver.ts';
import { listRunsOfJob } from '../../../store/lists/list-runs.ts';
import type { Database } from '../../../store/postgres/database.ts';
import type { WebhookDeliveryType } from '../../../store/tables/columns.ts';
import { findRun } from '../../../store/tables/jobs/runs.ts';
import { deliveryIdExample, text, timeSchema, webhookIdExample } from '../description/shared-schemas.ts';
import { jobSchema, toJobResource } from '../jobs/job-resource.ts';
import { runSchema, toRunsResource } from '../runs/runs-resource.ts';

const headers = z.object({
  'webhook-id': text('The same at every try.', deliveryIdExample),
  'webhook-timestamp': text('Unix time of this try, in seconds.', '1763669160'),
  'webhook-signature': text(
    '`v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64; two of them, separated by a space, after a rotation of the secret. https://www.standardwebhooks.com/',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
});

interface EventDescription {
  operationId: string;
  summary: string;
  description?: string;
  data: z.ZodType;
}

const job = jobSchema.describe('The job at the time of the event.');
const ofRun = z.object({ job, run: runSchema });

const events: Record<WebhookDeliveryType, EventDescription> = {
  'message.answered': {
    operationId: 'onMessageAnswered',
    summary: 'A run has answered messages',
    description: 'The messages of `data.run.messages` with the state `answered`. Comes before `job.completed`.',
    data: ofRun,
  },
  'automation.unchanged': {
    operationId: 'onAutomationUnchanged',
    summary: 'An automation found nothing to document',
    description:
      'Only for webhooks that name it. `data.run.summary` says why; the messages of `data.run.messages` have the source `automation`, and its name as author.',
    data: ofRun,
  },
  'job.completed': { operationId: 'onJobCompleted', summary: 'A job is completed', data: ofRun },
  'job.failed': { operationId: 'onJobFailed', summary: 'A job has failed', data: ofRun },
  'job.archived': {
    operationId: 'onJobArchived',
    summary: 'A job is archived',
    data: z.object({
      job,
      run: runSchema.nullable().describe('The last run of the job. `null`: it had none.'),
    }),
  },
  'webhook.test': {
    operationId: 'onWebhookTest',
    summary: 'Somebody tests the webhook',
    description: 'Sent once, independent of `events`.',
    data: z.object({
      webhook: z.object({
        id: z.string().meta({ example: webhookIdExample }),
        url: z.url().meta({ example: 'https://hooks.example.com/pagewright' }),
      }),
    }),
  },
};

function describeEvent(type: string, { data, ...about }: EventDescription): ZodOpenApiPathItemObject {
  const timestamp = timeSchema.describe('When it happened.');
  const schema = z.object({ type: z.literal(type), timestamp, data });
  return {
    post: {
      ...about,
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

/** The requests that receivers get. https://spec.openapis.org/oas/v3.1.1#oas-webhooks */
export const describeWebhooks: ZodOpenApiPathsObject = Object.fromEntries(
  Object.entries(events).map(([type, event]) => [type, describeEvent(type, event)]),
);

/** Describes events as the API describes their job and run. */
export const createDescribeEvent =
  ({ database, webUrl }: { database: Database; webUrl: string }): DescribeEvent =>
  async (job, runId) => ({
    job: toJobResource(job, job, webUrl),
    run: runId === null ? null : await readRun(database, runId),
  });

async function readRun(database: Database, runId: string): Promise<object> {
  const found = await findRun(database, runId);
  if (!found) throw new Error(`run ${runId} does not exist`);
  const page = await listRunsOfJob(database, found.job_id, { limit: 1, after: found.number + 1 });
  const [run] = toRunsResource(page).runs;
  if (run?.id !== runId) throw new Error(`could not read run ${runId}`);
  return run;
}
