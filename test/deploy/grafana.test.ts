import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

interface Metric {
  name: string;
  labels: string[];
  isShared: boolean;
  means: string;
}

/** The table of the monitor page, which another test holds against the code. */
function readMetrics(): Metric[] {
  const rows = readFileSync('docs/operations/monitor.md', 'utf8').matchAll(
    /^\| `(pagewright_\w+)` *\| ([^|]*)\| ([^|]*)\| (.*) \|$/gm,
  );
  return [...rows].map(([, name = '', labels = '', shared = '', means = '']) => ({
    name,
    labels: [...labels.matchAll(/`(\w+)`/g)].flatMap(([, label]) => label ?? []),
    isShared: shared.trim() === 'yes',
    means: means.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
  }));
}

const isHistogram = ({ means }: Metric) => means.startsWith('histogram');

function createExpression(metric: Metric): string {
  const { name, labels, isShared } = metric;
  const by = (...names: string[]) => (names.length === 0 ? '' : ` by (${names.join(', ')})`);
  if (isHistogram(metric))
    return `histogram_quantile(0.95, sum${by('le', ...labels)} (rate(${name}_bucket[$__rate_interval])))`;
  const value = name.endsWith('_total') ? `increase(${name}[$__rate_interval])` : name;
  return `${isShared ? 'max' : 'sum'}${by(...labels)} (${value})`;
}

function createPanel(metric: Metric, index: number) {
  const datasource = { type: 'prometheus', uid: '$datasource' };
  const legendFormat = metric.labels.map((label) => `{{${label}}}`).join(' ') || metric.name;
  const unit =
    /_(seconds|bytes)$/.exec(metric.name)?.[1] === 'bytes' ? 'bytes' : metric.name.endsWith('_seconds') ? 's' : 'short';
  return {
    id: index + 1,
    type: 'timeseries',
    title: isHistogram(metric) ? `${metric.name}, 95th percentile` : metric.name,
    description: metric.means,
    gridPos: { x: (index % 3) * 8, y: Math.floor(index / 3) * 8, w: 8, h: 8 },
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: [{ refId: 'A', datasource, expr: createExpression(metric), legendFormat }],
  };
}

test('the dashboard for Grafana has a panel for each metric; npx vitest run -u writes it again', async () => {
  const metrics = readMetrics();
  expect(metrics.length).toBeGreaterThan(30);
  const dashboard = {
    uid: 'pagewright',
    title: 'Pagewright',
    schemaVersion: 41,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
    panels: metrics.map(createPanel),
  };
  await expect(`${JSON.stringify(dashboard, undefined, 2)}\n`).toMatchFileSnapshot('../../deploy/grafana.json');
});

const ruleSchema = z.strictObject({
  alert: z.string(),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+m$/)
    .optional(),
});
const rulesSchema = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(ruleSchema).min(10) })),
});

test('the alarms are rules of Prometheus, on labels that the metrics have', () => {
  const { groups } = rulesSchema.parse(parse(readFileSync('deploy/alerts.yml', 'utf8')));
  const metrics = readMetrics();
  for (const { expr } of groups.flatMap(({ rules }) => rules)) {
    for (const [, name = '', matchers = ''] of expr.matchAll(/\b(pagewright_\w+)\{([^}]*)\}/g)) {
      const metric = metrics.find((candidate) => candidate.name === name.replace(/_(?:count|sum|bucket)$/, ''));
      const labels = [...matchers.matchAll(/(\w+)[=!]/g)].map(([, label]) => label);
      expect(labels.filter((label) => !metric?.labels.includes(label ?? ''))).toEqual([]);
    }
  }
});
