import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

/** Names and units: https://prometheus.io/docs/practices/naming/. A label has at most some dozens of values, never an id. */
export function createInstruments() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    render: () => registry.metrics(),
    queueWait: new Histogram({
      name: 'pagewright_queue_wait_seconds',
      help: 'Time from when a job was due until this process claimed it.',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600],
      registers,
    }),
    takeovers: new Counter({
      name: 'pagewright_takeovers_total',
      help: 'Jobs that this process took over from a lost worker.',
      registers,
    }),
    leaseLosses: new Counter({
      name: 'pagewright_lease_losses_total',
      help: 'Leases that this process lost, by reason: ran_out (expired before renewal) or taken (claimed by another worker, or job archived).',
      labelNames: ['reason'],
      registers,
    }),
    steps: new Histogram({
      name: 'pagewright_step_duration_seconds',
      help: 'Duration of the steps of runs, deliveries and answers, by step and result: done, refused or failed.',
      labelNames: ['step', 'result'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
      registers,
    }),
    effects: new Counter({
      name: 'pagewright_effects_total',
      help: 'Effects on GitHub by this process, by kind and state: done, refused or failed.',
      labelNames: ['kind', 'state'],
      registers,
    }),
    checks: new Counter({
      name: 'pagewright_checks_total',
      help: 'Checks of frozen changes, by result: clean, left (problems remain) or failed (they did not run).',
      labelNames: ['result'],
      registers,
    }),
    checkProblems: new Counter({
      name: 'pagewright_check_problems_left_total',
      help: 'Problems left in frozen changes, by kind and severity: must or should.',
      labelNames: ['kind', 'severity'],
      registers,
    }),
    modelRequests: new Histogram({
      name: 'pagewright_model_request_duration_seconds',
      help: 'Duration of requests to the model server, retries counted separately, by model and outcome.',
      labelNames: ['model', 'outcome'],
      buckets: [0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600],
      registers,
    }),
    modelTokens: new Counter({
      name: 'pagewright_model_tokens_total',
      help: 'Tokens of answered requests, by type: in (includes cached), cached or out.',
      labelNames: ['model', 'type'],
      registers,
    }),
    gitHubRequests: new Counter({
      name: 'pagewright_github_requests_total',
      help: 'Requests to the GitHub API, by method and status class; none means no response.',
      labelNames: ['method', 'status'],
      registers,
    }),
    gitHubLimits: new Counter({
      name: 'pagewright_github_limits_total',
      help: 'Rate limits that GitHub imposed, by kind: primary (hourly quota) or secondary (too many requests at once).',
      labelNames: ['kind'],
      registers,
    }),
    webhookPosts: new Histogram({
      name: 'pagewright_webhook_post_duration_seconds',
      help: 'Duration of POSTs to webhooks of callers, by result: delivered, failed (it will be tried again) or given_up.',
      labelNames: ['result'],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    httpRequests: new Histogram({
      name: 'pagewright_http_request_duration_seconds',
      help: 'Duration of HTTP requests to this process, by method, route pattern (none means no matching route) and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
  };
}

/** Read at each scrape. Omit a value that is unknown. */
export interface MetricReading {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  /** At least one. */
  values: { labels?: Record<string, string>; value: number }[];
}

/** Renders readings in a new registry, because a permanent one would show 0 for unknown values. */
export function renderReadings(readings: readonly MetricReading[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, type, values } of readings) {
    const labelNames = Object.keys(values[0]?.labels ?? {});
    const options = { name, help, labelNames, registers: [registry] };
    if (type === 'gauge') {
      const gauge = new Gauge(options);
      for (const { labels = {}, value } of values) gauge.set(labels, value);
    } else {
      const counter = new Counter(options);
      for (const { labels = {}, value } of values) counter.inc(labels, value);
    }
  }
  return registry.metrics();
}
