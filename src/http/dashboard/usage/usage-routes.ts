import type { Router } from 'express';
import { findBudget, listUsage, listUsageByPeople } from '../../../store/tables/usage.ts';
import { dayMs, defaultDays, formatDay, isDay, toUsageResource } from '../../api/usage-endpoint.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { PageRefusal } from '../frame/page-refusal.ts';
import { linkTo } from '../frame/render-page.ts';
import type { PageRoutes } from '../people/page-routes.ts';
import { type UsageQuery, type UsageRow, type UsageView, usagePage, usageViews } from './usage-page.ts';

/** The usage of the project, as a page or as CSV. */
export function createUsageRoutes({ config }: DashboardParts, { forWriters }: PageRoutes): Router {
  const { router, get } = forWriters();
  get(linkTo(':projectId').usage, async ({ project, request, response, withStore }) => {
    const query = readUsageQuery(request.query);
    const { project_id: projectId } = project;
    const { prices, currency, projectLimits } = config;
    const { tokensPerMonth = 0 } = projectLimits;
    const budget = await withStore(({ database }) => findBudget(database, { projectId, tokensPerMonth }));
    const read = (by: UsageView) =>
      withStore(async ({ database }) => {
        if (by !== 'author' && by !== 'automation') {
          const rows = await listUsage(database, { projectId, ...query, by });
          return toUsageResource(rows, { prices, ...query, by });
        }
        const rows = await listUsageByPeople(database, { projectId, ...query, by });
        return toUsageResource(rows, { prices, ...query, by: 'key' });
      });
    const shown = await read(query.by);
    const rows = shown.usage.map((usage) => toRow(usage, query.by));
    if (request.query.format === 'csv') {
      const name = `${project.owner}-${project.repo}-usage-by-${query.by}.csv`;
      response.attachment(name).type('text/csv').send(formatCsv(query.by, rows));
      return null;
    }
    const days = query.by === 'day' ? rows : (await read('day')).usage.map((usage) => toRow(usage, 'day'));
    return usagePage({ project, query, presets: listPresets(), rows, days, total: shown.total, currency, budget });
  });
  return router;
}

type Shown = ReturnType<typeof toUsageResource>['usage'][number];

const others: Partial<Record<UsageView, string>> = {
  key: 'Dashboard, comments, reviews',
  author: 'Nobody',
  automation: 'No automation',
};

function toRow(usage: Shown, by: UsageView): UsageRow {
  const name = 'day' in usage ? usage.day : 'model' in usage ? usage.model : usage.name;
  return { ...usage, name: name ?? others[by] ?? '' };
}

function listPresets(now = Date.now()): { name: string; from: string; to: string }[] {
  const to = formatDay(now);
  const last = (count: number) => ({ name: `${count} days`, from: formatDay(now - (count - 1) * dayMs), to });
  return [last(7), last(30), last(90), { name: 'This month', from: `${to.slice(0, 8)}01`, to }];
}

/** Throws a `PageRefusal` that names the allowed values. */
function readUsageQuery(query: Record<string, unknown>, now = Date.now()): UsageQuery {
  const to = readDay(query.to, 'to') ?? formatDay(now);
  const from = readDay(query.from, 'from') ?? formatDay(Date.parse(to) - (defaultDays - 1) * dayMs);
  if (from > to) throw new PageRefusal(400, 'Invalid request', 'from must not be after to.');
  const by = usageViews.find((group) => group === (query.by ?? 'day'));
  if (!by) throw new PageRefusal(400, 'Invalid request', `by must be one of: ${usageViews.join(', ')}.`);
  return { from, to, by };
}

function readDay(value: unknown, name: string): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && isDay(value)) return value;
  throw new PageRefusal(400, 'Invalid request', `${name} must be a day as YYYY-MM-DD.`);
}

/** https://www.rfc-editor.org/rfc/rfc4180. A name that begins like a formula is quoted as text: spreadsheets would run it. */
export function formatCsv(by: UsageView, rows: readonly UsageRow[]): string {
  const head = [by, 'runs', 'turns', 'tokens_in', 'tokens_cached', 'tokens_out', 'cost'];
  const lines = rows.map(({ name, runs, turns, tokensIn, tokensCached, tokensOut, cost }) => [
    ...[name, runs, turns, tokensIn, tokensCached, tokensOut, cost ?? ''],
  ]);
  return [head, ...lines].map((line) => `${line.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
