import { z } from 'zod';
import { listUsage, usageGroups } from '../../../store/tables/usage.ts';
import { describeResponse } from '../description/responses.ts';
import type { Endpoint } from '../endpoint.ts';
import { invalidRequest } from '../requests/invalid-request.ts';
import { readQuery } from '../requests/read-query.ts';
import { toUsageResource, usageSchema } from './usage-resource.ts';

const defaultDays = 30;
const dayMs = 24 * 3600_000;

/** PostgreSQL has no year 0. */
const firstDay = '0001-01-01';
const isDay = (text: string) => z.iso.date().safeParse(text).success && text >= firstDay;
const dayParameter = z
  .string()
  .refine(isDay, 'must be a day as YYYY-MM-DD')
  .optional()
  .meta({ override: { type: 'string', format: 'date' }, example: '2026-11-20' });

const query = z.strictObject({
  from: dayParameter.meta({ description: `The first day, in UTC. Default: ${defaultDays - 1} days before \`to\`.` }),
  to: dayParameter.meta({ description: 'The last day, in UTC, inclusive. Default: today.' }),
  by: z
    .enum(usageGroups, { error: `must be one of: ${usageGroups.join(', ')}` })
    .default('day')
    .meta({ description: 'The grouping of the rows.' }),
});

export const usageEndpoint: Endpoint = {
  method: 'get',
  path: '/usage',
  operationId: 'getUsage',
  summary: 'Get the usage of the project',
  description:
    'Runs, turns, tokens and cost. A run counts on the day it ended, for the key that sent its first message.',
  tag: 'usage',
  query,
  answers: {
    200: describeResponse('The usage.', usageSchema),
  },
  createHandler:
    ({ config }) =>
    async (call) => {
      const asked = readQuery(call, query);
      const to = asked.to ?? formatDay(new Date());
      const usual = formatDay(new Date(Date.parse(to) - (defaultDays - 1) * dayMs));
      const from = asked.from ?? (usual < firstDay ? firstDay : usual);
      if (from > to)
        throw invalidRequest([
          {
            parameter: 'from',
            detail: `must not be after \`to\`, ${asked.to === undefined ? 'which is today' : 'the last day'}`,
          },
        ]);
      const { by } = asked;
      const { projectId } = call;
      return call.withDeadline(async ({ database }) => {
        const rows = await listUsage(database, { projectId, from, to, by });
        return { status: 200, body: toUsageResource(rows, { prices: config.prices, from, to, by }) };
      });
    },
};

const formatDay = (moment: Date) => moment.toISOString().slice(0, 10);
