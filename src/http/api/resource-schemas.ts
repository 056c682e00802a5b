import { z } from 'zod';

const moment = z.iso.datetime().meta({
  example: '2026-11-20T20:06:00.000Z',
  // The format says it; zod's regular expression for it would be copied into every generated client.
  override: ({ jsonSchema }) => void delete jsonSchema.pattern,
});
const count = z.int().min(0);
export const jobIdExample = 'job_01jd2x8e4vf3r9c5w7k6t0mzqa';
export const projectIdExample = 'prj_01jd2x7q1hexaatpv3g5d9smwn';

/** A job as callers see it: exactly these seven fields. */
export const jobSchema = z
  .object({
    id: z.string().meta({ example: jobIdExample }),
    status: z.enum(['active', 'completed', 'failed', 'archived']),
    source: z.object({
      repository: z.url().meta({ example: 'https://github.com/acme/docs' }),
      ref: z
        .string()
        .meta({ description: 'The base, until the job has a branch of its own; then that.', example: 'main' }),
    }),
    model: z.string().meta({ example: 'gpt-5' }),
    prLink: z.url().nullable().meta({
      description: 'The pull request, if there is one; null while the job is active.',
      example: 'https://github.com/acme/docs/pull/7',
    }),
    createdAt: moment,
    archivedAt: moment.nullable().meta({ example: null }),
  })
  .meta({ id: 'Job' });

const messageSchema = z
  .object({
    id: z.string(),
    source: z.enum(['api', 'comment', 'review', 'dashboard']),
    author: z.string().meta({ description: 'A GitHub login, or the name of an API key.' }),
    prompt: z.string(),
    state: z.enum(['waiting', 'taken', 'answered', 'dropped']),
    reason: z.string().nullable().meta({ description: 'Why it was dropped.' }),
    deliveryId: z
      .string()
      .nullable()
      .meta({ description: 'The webhook delivery that brought it; null: it came by the API.' }),
    createdAt: moment,
  })
  .meta({ id: 'Message' });

const askerSchema = z.object({
  messageId: z.string().nullable().meta({ description: 'null: what they wrote is no message of the job.' }),
  author: z.string(),
  source: z.enum(['api', 'comment', 'review', 'dashboard']),
  deliveryId: z.string().nullable().meta({ description: 'The webhook delivery that told of it.' }),
});

const effectSchema = z
  .object({
    key: z
      .string()
      .meta({ description: 'What was done, unique in the job.', example: 'run_01jd2x8e4vf3r9c5w7k6t0mzqa:push' }),
    kind: z.string().meta({
      description:
        '`push`, `branch`, `pull-request`, `labels`, `reviewers`, `reviewer`, `comment`, `reply`, `reaction` or `deletion`.',
      example: 'push',
    }),
    state: z.enum(['intended', 'done', 'refused']),
    refusal: z.string().nullable().meta({ description: 'Why GitHub does not take it.' }),
    askedBy: z.array(askerSchema).meta({ description: 'Who asked for it, oldest first.' }),
    leaseEpoch: count.meta({ description: 'Of the lease it was done under; 0: of none, as a promised answer.' }),
    tries: count.meta({ description: 'How often it was begun, by whichever process.' }),
    externalId: z.string().nullable().meta({ description: 'Its id in the outside world.' }),
    request: z.unknown().meta({ description: 'What was sent, as far as it is worth telling.' }),
    response: z.unknown().meta({ description: 'What came back.' }),
    intendedAt: moment,
    doneAt: moment.nullable(),
  })
  .meta({ id: 'Effect' });

const runSchema = z
  .object({
    id: z.string(),
    number: z.int().min(1).meta({ description: 'Counted from 1 in each job.' }),
    status: z.enum(['working', 'publishing', 'ended']),
    outcome: z
      .enum(['completed', 'failed'])
      .nullable()
      .meta({ description: 'What it came to; null until it has ended.' }),
    code: z.string().nullable().meta({ description: 'How it ended, for programs.', example: 'published' }),
    sentence: z.string().nullable().meta({ description: 'How it ended, for people.' }),
    summary: z.string().nullable().meta({ description: 'What the agent says it did, or why it changed nothing.' }),
    startedAt: moment,
    finishedAt: moment.nullable(),
    turns: count,
    tokensIn: count,
    tokensOut: count,
    commit: z.string().nullable().meta({ description: 'The SHA of the commit that it published.' }),
    messages: z.array(messageSchema).meta({ description: 'The messages it was given, in order.' }),
    effects: z.array(effectSchema).meta({ description: 'What it did to the outside world, in order.' }),
    warnings: z
      .array(z.string())
      .meta({ description: 'What did not work out although the run did, and what to do about it, for people.' }),
  })
  .meta({ id: 'Run' });

export const runsSchema = z
  .object({
    runs: z.array(runSchema).meta({ description: 'In the order in which they started.' }),
    waiting: z
      .array(messageSchema)
      .meta({ description: 'Messages for the next run, or the next turn of the live one.' }),
    dropped: z.array(messageSchema).meta({ description: 'Messages that ended before a run was given them.' }),
    effects: z.array(effectSchema).meta({ description: 'What was done for the job outside of its runs, in order.' }),
  })
  .meta({ id: 'Runs' });

/** RFC 9457, with the members that some problems have beside the standard ones. */
export const problemSchema = z
  .looseObject({
    type: z.string().meta({ description: 'Stable, for programs.', example: 'urn:pagewright:problem:invalid-request' }),
    title: z.string().meta({ example: 'The request is not valid' }),
    status: z.int().min(400).max(599).meta({ example: 400 }),
    detail: z.string().meta({ example: 'Please correct: prompt is required.' }),
    instance: z.string().meta({
      description: 'The request’s id, which is also in `x-request-id` and in the log.',
      example: 'urn:uuid:0b0f2a4e-9f57-4d0a-8a51-6d1c9f4e7b1a',
    }),
    error: z.string().meta({ description: 'The same as `detail`.' }),
    errors: z
      .array(z.object({ pointer: z.string().meta({ example: '#/prompt' }), detail: z.string() }))
      .optional()
      .meta({ description: 'Each bad field, as a JSON Pointer into the body.' }),
  })
  .meta({ id: 'Problem' });

export type JobResource = z.infer<typeof jobSchema>;
export type RunsResource = z.infer<typeof runsSchema>;
export type MessageResource = z.infer<typeof messageSchema>;
export type AskerResource = z.infer<typeof askerSchema>;
export type EffectResource = z.infer<typeof effectSchema>;
