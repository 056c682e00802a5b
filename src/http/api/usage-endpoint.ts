import { z } from 'zod';
import { findCost, type Prices } from '../../config/prices.ts';
import { listUsage, type Usage, type UsageGroup, usageGroups } from '../../store/tables/usage.ts';
import { describeResponse } from './description/responses.ts';
import { component, countSchema, textOrNull } from './description/shared-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { invalidRequest, readQuery } from './requests/read-request.ts';

const sums = {
  runs: countSchema.describe('Runs that ended, failed ones included.'),
  turns: countSchema.describe('Requests to the model.'),
  tokensIn: countSchema.describe('Includes `tokensCached`.'),
  tokensCached: countSchema,
  tokensOut: countSchema,
  cost: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: 'By `OPENAI_PRICES`. `null` if a model that was used has no price there.', example: 1.25 }),
};
const daySchema = z.iso.date().meta({
  example: '2026-11-20',
  override: ({ jsonSchema }) => void delete jsonSchema.pattern,
});

const dayUsage = component('UsageOfDay', { day: daySchema, ...sums });
const modelUsage = component('UsageOfModel', { model: z.string(), ...sums });
const keyUsage = component('UsageOfKey', {
  key: textOrNull(
    'The id of the API key whose message opened the runs. `null`: another message did, such as a comment or one from the dashboard.',
    'key_01jd2x7q1hexaatpv3g5d9smwn',
  ),
  name: textOrNull('The name of the key.', 'ci'),
  ...sums,
});

const usageSchema = component('Usage', {
  from: daySchema,
  to: daySchema,
  usage: z
    .union([z.array(dayUsage), z.array(modelUsage), z.array(keyUsage)])
    .describe('Days newest first; models and keys by their tokens, most first. Rows without usage are left out.'),
  total: z.object(sums).meta({ id: 'UsageTotal' }),
});

type Sums = z.infer<typeof usageSchema>['total'];

export function toUsageResource(
  rows: readonly Usage[],
  { prices, from, to, by }: { prices: Prices; from: string; to: string; by: UsageGroup },
) {
  const found = [...Map.groupBy(rows, ({ group }) => group)].map(([group, same]) => ({
    group,
    name: same[0]?.name ?? null,
    sums: addUp(same, prices),
  }));
  const byDay = found.toSorted((one, other) => compare(other.group ?? '', one.group ?? ''));
  const byTokens = found.toSorted((one, other) => countTokens(other.sums) - countTokens(one.sums));
  return {
    from,
    to,
    usage: {
      day: () => byDay.map(({ group, sums }) => ({ day: group, ...sums })),
      model: () => byTokens.map(({ group, sums }) => ({ model: group, ...sums })),
      key: () => byTokens.map(({ group, name, sums }) => ({ key: group, name, ...sums })),
    }[by](),
    total: addUp(rows, prices),
  };
}

function addUp(rows: readonly Usage[], prices: Prices): Sums {
  const sum = (read: (usage: Usage) => number) => rows.reduce((total, usage) => total + read(usage), 0);
  const costs = rows.map((usage) => (countTokens(usage) === 0 ? 0 : findCost(prices, usage.model, usage)));
  return {
    runs: sum(({ runs }) => runs),
    turns: sum(({ turns }) => turns),
    tokensIn: sum(({ tokensIn }) => tokensIn),
    tokensCached: sum(({ tokensCached }) => tokensCached),
    tokensOut: sum(({ tokensOut }) => tokensOut),
    cost: costs.reduce((total, cost) => (total === null || cost === null ? null : round(total + cost)), 0),
  };
}

const countTokens = ({ tokensIn, tokensOut }: { tokensIn: number; tokensOut: number }) => tokensIn + tokensOut;
const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
/** Leaves out the noise of binary fractions. */
const round = (cost: number) => Math.round(cost * 1e9) / 1e9;

export const defaultDays = 30;
export const dayMs = 24 * 3600_000;

/** PostgreSQL has no year 0. */
const firstDay = '0001-01-01';
export const isDay = (text: string) => z.iso.date().safeParse(text).success && text >= firstDay;
const dayParameter = z
  .string()
  .refine(isDay, 'must be a day as YYYY-MM-DD')
  .optional()
  .meta({ override: { type: 'string', format: 'date' }, example: '2026-11-20' });

const query = z.strictObject({
  from: dayParameter.describe(`The first day, in UTC. Default: ${defaultDays - 1} days before \`to\`.`),
  to: dayParameter.describe('The last day, in UTC, inclusive. Default: today.'),
  by: z
    .enum(usageGroups, { error: `must be one of: ${usageGroups.join(', ')}` })
    .default('day')
    .describe('The grouping of the rows.'),
});

export const usageEndpoint: Endpoint = {
  method: 'get',
  path: '/usage',
  operationId: 'getUsage',
  summary: 'Get the usage of the project',
  description:
    'Runs, turns, tokens and cost. A run counts on the day it ended, for the key that sent its first message.',
  query,
  answers: { 200: describeResponse('The usage.', usageSchema) },
  handle: async (call, { config }) => {
    const asked = readQuery(call, query);
    const to = asked.to ?? formatDay(Date.now());
    const usual = formatDay(Date.parse(to) - (defaultDays - 1) * dayMs);
    const from = asked.from ?? (usual < firstDay ? firstDay : usual);
    const last = asked.to === undefined ? 'which is today' : 'the last day';
    if (from > to) throw invalidRequest([{ parameter: 'from', detail: `must not be after \`to\`, ${last}` }]);
    const { by } = asked;
    const { projectId } = call;
    return call.withDeadline(async ({ database }) => {
      const rows = await listUsage(database, { projectId, from, to, by });
      return { status: 200, body: toUsageResource(rows, { prices: config.prices, from, to, by }) };
    });
  },
};

/** In UTC. */
export const formatDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
