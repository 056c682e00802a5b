import { z } from 'zod';
import type { AutomationState } from '../../../automations/describe-automations.ts';
import { countSchema, jobIdExample, runIdExample, timeSchema } from '../description/parameters.ts';

const repository = z.string().meta({ example: 'acme/api' }).optional();

const onSchema = z
  .object({
    merged: repository,
    paths: z
      .array(z.string())
      .meta({ example: ['src/routes/**'] })
      .optional(),
    released: z.string().optional(),
    schedule: z.string().optional(),
    timezone: z.string().optional(),
    label: z.string().optional(),
    repository: z.string().optional(),
  })
  .meta({ description: 'What triggers it, as in the settings.' });

const lastRunSchema = z
  .object({
    jobId: z.string().meta({ example: jobIdExample }),
    runId: z.string().meta({ example: runIdExample }),
    at: timeSchema,
    result: z.enum(['published', 'unchanged', 'failed']),
    sentence: z.string().meta({
      description: 'What became of it; if it is `unchanged`, why nothing had to be documented.',
      example: '2 changed files were published in the pull request.',
    }),
  })
  .meta({ description: 'The last run that ended. `null`: none has.' });

export const automationSchema = z
  .object({
    name: z.string().meta({ example: 'api-reference' }),
    on: onSchema,
    every: z.enum(['merge', 'hour', 'day', 'week']).meta({ description: 'How long occasions are collected.' }),
    prompt: z.string().meta({ example: 'Bring the reference in line with these changes.' }),
    state: z.enum(['active', 'paused', 'broken']).meta({ description: '`broken`: nothing can trigger it.' }),
    problem: z.string().nullable().meta({
      description: 'Why it is broken, or why what waits has to wait longer, and what to do.',
      example: null,
    }),
    waiting: countSchema.meta({ description: 'Occasions that were not taken up yet.' }),
    nextRunAt: timeSchema.nullable().meta({ description: '`null`: nothing waits, or it is not active.' }),
    lastRun: lastRunSchema.nullable(),
    passedOver: z
      .array(
        z.object({
          occasion: z.string().meta({ example: 'acme/api#12' }),
          at: timeSchema,
          reason: z.string().meta({ example: 'It changed no file that `paths` names.' }),
        }),
      )
      .meta({ description: 'The newest occasions that were passed over, and why.' }),
  })
  .meta({ id: 'Automation' });

export const automationsSchema = z.object({ automations: z.array(automationSchema) }).meta({ id: 'Automations' });

export const toAutomationResource = ({
  nextRunAt,
  lastRun,
  passedOver,
  ...automation
}: AutomationState): z.infer<typeof automationSchema> => ({
  ...automation,
  nextRunAt: nextRunAt?.toISOString() ?? null,
  lastRun: lastRun && { ...lastRun, at: lastRun.at.toISOString() },
  passedOver: passedOver.map((passed) => ({ ...passed, at: passed.at.toISOString() })),
});
