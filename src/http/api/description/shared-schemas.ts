import { z } from 'zod';
import type { HttpProblemKind } from '../../problem.ts';

export const jobIdExample = 'job_01jd2x8e4vf3r9c5w7k6t0mzqa';
export const runIdExample = 'run_01jd2x8f1kft8b0v9q3m5s7wye';
export const webhookIdExample = 'whk_01jd2x8e4vf3r9c5w7k6t0mzqa';
export const deliveryIdExample = 'whd_01jd2x8e4vf3r9c5w7k6t0mzqa';
export const projectIdExample = 'prj_01jd2x7q1hexaatpv3g5d9smwn';
export const repositoryExample = 'https://github.com/acme/docs';
export const messageIdExample = 'msg_01jd2x8e5dfr6a2t4n7p9c1xzb';

/** An object with a name, under which the description lists it. */
export const component = <Shape extends z.ZodRawShape>(id: string, shape: Shape) => z.object(shape).meta({ id });

export const text = (description: string, example: string) => z.string().meta({ description, example });

export const textOrNull = (description: string, example: string | null) =>
  z.string().nullable().meta({ description, example });

export const timeSchema = z.iso.datetime().meta({
  example: '2026-11-20T20:06:00.000Z',
  // Without this, zod's regular expression for the format is copied into every generated client.
  override: ({ jsonSchema }) => void delete jsonSchema.pattern,
});
export const countSchema = z.int().min(0);

const id = (of: string, example: string) => z.string().meta({ description: `The id of the ${of}.`, example });

const ofPath = {
  jobId: id('job', jobIdExample),
  runId: id('run', runIdExample),
  name: text('The name of the automation.', 'api-reference'),
  webhookId: id('webhook', webhookIdExample),
  deliveryId: text('The id of the delivery, its `webhook-id`.', deliveryIdExample),
};
const projectId = text('The project of the API key.', projectIdExample);

/** The parameters of a path below that of the project. */
export const describePath = (path: string): z.ZodObject =>
  z.object({
    projectId,
    ...Object.fromEntries(Object.entries(ofPath).filter(([name]) => path.includes(`{${name}}`))),
  });

/** For requests that are accepted once for each key. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .optional()
    .meta({
      description:
        'Makes the request safe to repeat: for 24 hours, requests of the project with the same key get the first answer again. Use a new random key for each new request ([draft](https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07)).',
      example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
    }),
});

/** Problems of both operations that accept an instruction. */
export const ofAcceptance: HttpProblemKind[] = [
  'repository-gone',
  'idempotency-key-in-use',
  'idempotency-key-reused',
  'budget-exhausted',
  'rate-limited',
];
