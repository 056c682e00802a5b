import { z } from 'zod';
import type { HttpProblemKind } from '../../problem.ts';

export const jobIdExample = 'job_01jd2x8e4vf3r9c5w7k6t0mzqa';
export const runIdExample = 'run_01jd2x8f1kft8b0v9q3m5s7wye';
export const messageIdExample = 'msg_01jd2x8e5dfr6a2t4n7p9c1xzb';

export const timeSchema = z.iso.datetime().meta({
  example: '2026-11-20T20:06:00.000Z',
  // Without this, zod's regular expression for the format is copied into every generated client.
  override: ({ jsonSchema }) => void delete jsonSchema.pattern,
});
export const countSchema = z.int().min(0);

const projectId = z
  .string()
  .meta({ description: 'The project of the API key.', example: 'prj_01jd2x7q1hexaatpv3g5d9smwn' });
const jobId = z.string().meta({ description: 'The id of the job.', example: jobIdExample });

export const ofProject = { path: z.object({ projectId }) };
const webhookId = z.string().meta({ description: 'The id of the webhook.', example: 'whk_01jd2x8e4vf3r9c5w7k6t0mzqa' });

const automation = z.string().meta({ description: 'The name of the automation.', example: 'api-reference' });
export const ofAutomation = { path: z.object({ projectId, name: automation }) };

export const ofJob = { path: z.object({ projectId, jobId }) };
const deliveryId = z
  .string()
  .meta({ description: 'The id of the delivery, its `webhook-id`.', example: 'whd_01jd2x8e4vf3r9c5w7k6t0mzqa' });
export const ofWebhook = { path: z.object({ projectId, webhookId }) };
export const ofDelivery = { path: z.object({ projectId, webhookId, deliveryId }) };

/** For requests that are accepted once for each key. */
export const withIdempotencyKey = {
  header: z.object({
    'Idempotency-Key': z
      .string()
      .regex(/^[\x21-\x7e]{1,255}$/)
      .optional()
      .meta({
        description:
          'Makes the request safe to repeat: for 24 hours, requests of the project with the same key get the first answer again. Use a new random key for each new request ([draft](https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07)).',
        example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
      }),
  }),
};

/** Problems of both operations that accept an instruction. */
export const ofAcceptance: HttpProblemKind[] = [
  'repository-gone',
  'idempotency-key-in-use',
  'idempotency-key-reused',
  'budget-exhausted',
  'rate-limited',
];
