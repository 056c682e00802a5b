import { z } from 'zod';
import {
  type AutomationState,
  automationStates,
  describeAutomations,
  runResults,
} from '../../../automations/describe-automations.ts';
import { pauseAutomation, resumeAutomation } from '../../../automations/pause-automation.ts';
import { periods } from '../../../repository/automation-shapes.ts';
import type { Store } from '../../../store/store.ts';
import { describeResponse } from '../description/responses.ts';
import {
  component,
  countSchema,
  jobIdExample,
  runIdExample,
  text,
  textOrNull,
  timeSchema,
} from '../description/shared-schemas.ts';
import type { Endpoint } from '../endpoint.ts';
import { resourceNotFound } from '../requests/project-route.ts';
import { readAutomationName, runAutomationEndpoint } from './run-automation-endpoint.ts';

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
  .describe('What triggers it, as in the settings.');

const lastRunSchema = z
  .object({
    jobId: z.string().meta({ example: jobIdExample }),
    runId: z.string().meta({ example: runIdExample }),
    at: timeSchema,
    result: z.enum(runResults),
    sentence: text(
      'What became of it; if it is `unchanged`, why nothing had to be documented.',
      '2 changed files were published in the pull request.',
    ),
  })
  .describe('The last run that ended. `null`: none has.');

const automationSchema = component('Automation', {
  name: z.string().meta({ example: 'api-reference' }),
  on: onSchema,
  every: z.enum(periods).describe('How long occasions are collected.'),
  prompt: z.string().meta({ example: 'Bring the reference in line with these changes.' }),
  state: z.enum(automationStates).describe('`broken`: nothing can trigger it.'),
  problem: textOrNull('Why it is broken, or why what waits has to wait longer, and what to do.', null),
  waiting: countSchema.describe('Occasions that were not taken up yet.'),
  nextRunAt: timeSchema.nullable().describe('`null`: nothing waits, or it is not active.'),
  lastRun: lastRunSchema.nullable(),
  passedOver: z
    .array(
      z.object({
        occasion: z.string().meta({ example: 'acme/api#12' }),
        at: timeSchema,
        reason: z.string().meta({ example: 'It changed no file that `paths` names.' }),
      }),
    )
    .describe('The newest occasions that were passed over, and why.'),
});

const automationsSchema = component('Automations', { automations: z.array(automationSchema) });

const toAutomationResource = ({
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

const listAutomationsEndpoint: Endpoint = {
  method: 'get',
  path: '/automation',
  operationId: 'listAutomations',
  summary: 'List the automations of the project',
  description: 'The standing instructions in the settings of the repository, by name.',
  answers: { 200: describeResponse('All automations.', automationsSchema) },
  handle: (call) =>
    call.withDeadline(async ({ database }) => {
      const automations = await describeAutomations(database, call.projectId);
      return { status: 200, body: { automations: automations.map(toAutomationResource) } };
    }),
};

/** `change` returns false for an automation that does not exist. */
const createSwitch = (
  { verb, summary, description }: { verb: 'pause' | 'resume'; summary: string; description: string },
  change: (store: Store, key: { projectId: string; name: string }) => Promise<boolean>,
): Endpoint => ({
  method: 'post',
  path: `/automation/{name}/${verb}`,
  operationId: `${verb}Automation`,
  summary,
  description,
  answers: { 200: describeResponse('The automation.', automationSchema) },
  handle: (call) =>
    call.withDeadline(async (store) => {
      const { projectId } = call;
      const name = readAutomationName(call);
      if (!(await change(store, { projectId, name }))) throw resourceNotFound();
      const all = await describeAutomations(store.database, projectId);
      const changed = all.find((automation) => automation.name === name);
      if (!changed) throw resourceNotFound();
      return { status: 200, body: toAutomationResource(changed) };
    }),
});

export const automationEndpoints: readonly Endpoint[] = [
  listAutomationsEndpoint,
  runAutomationEndpoint,
  createSwitch(
    {
      verb: 'pause',
      summary: 'Pause an automation',
      description:
        'What triggers it waits until it is resumed; the times of a schedule pass. Outlasts changes of the settings.',
    },
    pauseAutomation,
  ),
  createSwitch(
    { verb: 'resume', summary: 'Resume an automation', description: 'It takes up at once what came in the meantime.' },
    resumeAutomation,
  ),
];
