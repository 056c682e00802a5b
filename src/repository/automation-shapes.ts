import { z } from 'zod';
import { automationName } from '../ids.ts';
import { findScheduleProblem, isTimezone } from './schedule.ts';
import {
  isStorable,
  label,
  list,
  notStorable,
  path,
  repositoryName,
  reviewer,
  settingMustBe,
} from './setting-shapes.ts';

const triggers = ['merged', 'released', 'schedule', 'label'] as const;

const oneTrigger = `must have exactly one of: ${triggers.join(', ')}`;

/** Which trigger a further setting of `on` belongs to. */
const belongsTo = { paths: 'merged', timezone: 'schedule', repository: 'label' } as const;

/** Completes a sentence about a map with another form, or with settings that it does not have. */
const onlyWith = (names: string, otherwise: string) => (issue: { code: string }) =>
  issue.code === 'unrecognized_keys' ? `may only have ${names}` : otherwise;

const onSchema = z
  .strictObject(
    {
      merged: repositoryName.optional(),
      paths: list(path, 'globs', { least: 1, most: 100 }).optional(),
      released: repositoryName.optional(),
      schedule: z.string({ error: settingMustBe('a text of five fields, like 0 6 * * 1') }).optional(),
      timezone: z
        .string({ error: settingMustBe('a timezone') })
        .refine(isTimezone, 'must be a timezone, like Europe/Berlin or UTC')
        .optional(),
      label: label.optional(),
      repository: repositoryName.optional(),
    },
    { error: onlyWith('merged, paths, released, schedule, timezone, label, repository', oneTrigger) },
  )
  .superRefine((on, context) => {
    const fail = (message: string, at: string[] = []) => context.addIssue({ code: 'custom', message, path: at });
    const kinds = triggers.filter((kind) => on[kind] !== undefined);
    if (kinds.length !== 1) return fail(oneTrigger);
    for (const name of ['paths', 'timezone', 'repository'] as const)
      if (on[name] !== undefined && kinds[0] !== belongsTo[name]) fail(`belongs to \`${belongsTo[name]}\``, [name]);
    const problem = on.schedule === undefined ? undefined : findScheduleProblem(on.schedule);
    if (problem !== undefined) fail(problem, ['schedule']);
  });

/** Stands in `reviewers` for the people who wrote the pull requests. */
export const authorReviewer = 'author';

export const periods = ['merge', 'hour', 'day', 'week'] as const;

export const automationShape = z
  .strictObject(
    {
      on: onSchema,
      /** How long occasions are collected; `merge`: they are not. */
      every: z.enum(periods, { error: `must be one of: ${periods.join(', ')}` }).default('merge'),
      prompt: z
        .string({ error: settingMustBe('a text') })
        .trim()
        .refine(({ length }) => length > 0 && length <= 10_000, 'must have 1 to 10,000 characters')
        .refine(isStorable, notStorable),
      bots: z.boolean({ error: 'must be true or false' }).default(false),
      /** `author`, logins, and teams as `organization/team`. */
      reviewers: list(reviewer, 'logins, teams or `author`', { most: 15 }).default([]),
    },
    { error: onlyWith('on, every, prompt, bots, reviewers', 'must have `on` and `prompt`') },
  )
  .superRefine(({ on, every }, context) => {
    if (on.schedule !== undefined && every !== 'merge')
      context.addIssue({ code: 'custom', message: 'does not go with a schedule', path: ['every'] });
  });

export type Automation = z.output<typeof automationShape>;

const maxAutomations = 20;

/** By name. */
export const automationsShape = z
  .record(z.string(), automationShape, { error: 'must be a map of `name: {on, prompt}`' })
  .superRefine((all, context) => {
    const names = Object.keys(all);
    if (names.length > maxAutomations)
      context.addIssue({ code: 'custom', message: `must have at most ${maxAutomations} automations` });
    for (const name of names.filter((each) => !automationName.test(each)))
      context.addIssue({
        code: 'custom',
        message: 'must have a name of 1 to 40 letters a-z, digits and hyphens',
        path: [name],
      });
  })
  .default({});

export type AutomationTrigger =
  | { kind: 'merged'; repository: string; paths: readonly string[] | null }
  | { kind: 'released'; repository: string }
  | { kind: 'schedule'; schedule: string; timezone: string }
  /** `repository` null: the documentation's own. */
  | { kind: 'label'; label: string; repository: string | null };

/** `on` has passed its schema, so it has one trigger. */
export function readTrigger({ on }: Automation): AutomationTrigger {
  const { merged, paths = null, released, schedule, timezone = 'UTC', label, repository = null } = on;
  if (merged !== undefined) return { kind: 'merged', repository: merged, paths };
  if (released !== undefined) return { kind: 'released', repository: released };
  if (schedule !== undefined) return { kind: 'schedule', schedule, timezone };
  if (label !== undefined) return { kind: 'label', label, repository };
  throw new Error('an automation has no trigger');
}
