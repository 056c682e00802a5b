import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The content type of what `render` gives: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const contentType = Registry.PROMETHEUS_CONTENT_TYPE;

/**
 * What a process measures as it goes, in a registry of its own, with what Node tells of itself. Names and units by
 * https://prometheus.io/docs/practices/naming/; a label has some dozens of values at most, never an id or a repository.
 */
export function createInstruments() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    render: () => registry.metrics(),
    queueWait: new Histogram({
      name: 'pagewright_queue_wait_seconds',
      help: 'From the moment that a job was due until this process claimed it.',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600],
      registers,
    }),
    takeovers: new Counter({
      name: 'pagewright_takeovers_total',
      help: 'Jobs that this process claimed because their worker was lost.',
      registers,
    }),
    leaseLosses: new Counter({
      name: 'pagewright_lease_losses_total',
      help: 'Leases that this process lost while it worked under them: ran_out before it could renew them, or taken.',
      labelNames: ['reason'],
      registers,
    }),
    steps: new Histogram({
      name: 'pagewright_step_duration_seconds',
      help: 'How long the steps of a run, a delivery or an answer took, by how they ended: done, refused or failed.',
      labelNames: ['step', 'result'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10, 60, 300],
      registers,
    }),
    effects: new Counter({
      name: 'pagewright_effects_total',
      help: 'What this process did to the outside world, by kind and by what became of it: done, refused or failed.',
      labelNames: ['kind', 'state'],
      registers,
    }),
    modelRequests: new Histogram({
      name: 'pagewright_model_request_duration_seconds',
      help: 'Requests to the model server, each try by itself, by model and outcome.',
      labelNames: ['model', 'outcome'],
      buckets: [0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600],
      registers,
    }),
    modelTokens: new Counter({
      name: 'pagewright_model_tokens_total',
      help: 'Tokens of answered requests: in (all that were sent), cached (those of them that cost less), out.',
      labelNames: ['model', 'type'],
      registers,
    }),
    gitHubRequests: new Counter({
      name: 'pagewright_github_requests_total',
      help: 'Requests to the API of GitHub by method and class of status; none: no answer came.',
      labelNames: ['method', 'status'],
      registers,
    }),
    gitHubLimits: new Counter({
      name: 'pagewright_github_limits_total',
      help: 'How often an installation met a rate limit of GitHub’s: primary (nothing left of the hour) or secondary (too fast).',
      labelNames: ['kind'],
      registers,
    }),
    httpRequests: new Histogram({
      name: 'pagewright_http_request_duration_seconds',
      help: 'Requests that this process answered, by method, pattern of the route (none: no such route) and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
  };
}

/** A number that is read when it is asked for. One that nobody knows right now is not given to `renderReadings` at all. */
export interface Reading {
  name: string;
  help: string;
  /** A counter only ever grows. */
  type: 'gauge' | 'counter';
  /** At least one. */
  values: { labels?: Record<string, string>; value: number }[];
}

/** Writes readings as they are now. In a registry that lives no longer, because one that lives on shows a 0 where nothing is known. */
export function renderReadings(readings: readonly Reading[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, type, values } of readings) {
    const labelNames = Object.keys(values[0]?.labels ?? {});
    const given = { name, help, labelNames, registers: [registry] };
    if (type === 'gauge') {
      const gauge = new Gauge(given);
      for (const { labels = {}, value } of values) gauge.set(labels, value);
    } else {
      const counter = new Counter(given);
      for (const { labels = {}, value } of values) counter.inc(labels, value);
    }
  }
  return registry.metrics();
}
