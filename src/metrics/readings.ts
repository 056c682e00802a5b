import type { MetricReading } from './instruments.ts';

interface Waiting {
  count: number;
  oldestSeconds: number;
}

export interface BacklogReading {
  jobs: Waiting;
  deliveries: Waiting;
  answers: Waiting;
  missedDeliveries: number;
  webhooks: { waiting: number; failing: number; disabled: number };
  leases: number;
  blockedInstallations: number;
  suspendedInstallations: number;
}

export interface TotalsReading {
  jobs: readonly { status: string; count: number }[];
  runs: readonly { outcome: string; code: string; count: number }[];
}

export interface Present {
  /** Undefined in a process without a worker. */
  worker: { live: number; slots: number } | undefined;
  connections: { open: number; idle: number; waiting: number };
  /** What Pagewright needs beside its database. */
  parts: readonly { part: string; isDegraded: boolean }[];
}

interface Machine {
  /** The disk of DATA_DIR, in bytes; undefined if unknown. */
  disk: { size: number; free: number } | undefined;
  version: string;
  role: string;
}

const gauge = (name: string, help: string, value: number): MetricReading => ({
  name,
  help,
  type: 'gauge',
  values: [{ value }],
});

export const describePresent = (
  { worker, connections, parts }: Present,
  { disk, version, role }: Machine,
): MetricReading[] => [
  {
    name: 'pagewright_build_info',
    help: 'Always 1; the labels are the version and the role of this process.',
    type: 'gauge',
    values: [{ labels: { version, role }, value: 1 }],
  },
  {
    name: 'pagewright_database_connections',
    help: 'Database connections of this process, by state: open (includes idle), idle, or waiting (requests for a connection).',
    type: 'gauge',
    values: Object.entries(connections).map(([state, value]) => ({ labels: { state }, value })),
  },
  {
    name: 'pagewright_degraded',
    help: '1 for each part that does not work, as in `degraded` of /readyz.',
    type: 'gauge',
    values: parts.map(({ part, isDegraded }) => ({ labels: { part }, value: isDegraded ? 1 : 0 })),
  },
  ...(worker
    ? [
        gauge('pagewright_worker_live_runs', 'Live runs of this process.', worker.live),
        gauge('pagewright_worker_slots', 'Maximum of live runs of this process.', worker.slots),
      ]
    : []),
  ...(disk
    ? [
        gauge('pagewright_data_free_bytes', 'Free space of the file system of DATA_DIR.', disk.free),
        gauge('pagewright_data_size_bytes', 'Size of the file system of DATA_DIR.', disk.size),
      ]
    : []),
];

export const describeDatabase = (isUp: boolean): MetricReading =>
  gauge('pagewright_database_up', '1 if the database answered this scrape or a recent one, else 0.', isUp ? 1 : 0);

/** Same values from every process. */
export const describeBacklog = (backlog: BacklogReading): MetricReading[] => [
  gauge('pagewright_jobs_due', 'Due jobs that wait for a worker.', backlog.jobs.count),
  gauge('pagewright_jobs_due_oldest_seconds', 'Waiting time of the oldest due job.', backlog.jobs.oldestSeconds),
  gauge('pagewright_leases', 'Jobs that a worker holds a lease on.', backlog.leases),
  gauge(
    'pagewright_deliveries_waiting',
    'Stored webhook deliveries that wait for processing.',
    backlog.deliveries.count,
  ),
  gauge(
    'pagewright_deliveries_waiting_oldest_seconds',
    'Waiting time of the oldest stored delivery.',
    backlog.deliveries.oldestSeconds,
  ),
  gauge(
    'pagewright_deliveries_missed',
    'Webhook deliveries that are still missing after at least two requests for redelivery.',
    backlog.missedDeliveries,
  ),
  gauge('pagewright_answers_waiting', 'Answers that wait to be posted on GitHub.', backlog.answers.count),
  gauge(
    'pagewright_answers_waiting_oldest_seconds',
    'Waiting time of the oldest waiting answer.',
    backlog.answers.oldestSeconds,
  ),
  gauge(
    'pagewright_webhook_deliveries_waiting',
    'Deliveries to webhooks of callers that wait for their first or next try.',
    backlog.webhooks.waiting,
  ),
  gauge('pagewright_webhooks_failing', 'Webhooks of callers whose last delivery failed.', backlog.webhooks.failing),
  gauge(
    'pagewright_webhooks_disabled',
    'Webhooks of callers that were disabled because they failed.',
    backlog.webhooks.disabled,
  ),
  gauge(
    'pagewright_installations_blocked',
    'Installations that GitHub blocks by a rate limit.',
    backlog.blockedInstallations,
  ),
  gauge('pagewright_installations_suspended', 'Suspended installations.', backlog.suspendedInstallations),
];

/** Same values from every process. */
export const describeTotals = ({ jobs, runs }: TotalsReading): MetricReading[] => [
  {
    name: 'pagewright_jobs',
    help: 'Jobs by status.',
    type: 'gauge',
    values: jobs.map(({ status, count }) => ({ labels: { status }, value: count })),
  },
  {
    name: 'pagewright_runs_ended_total',
    help: 'Ended runs, by outcome and code.',
    type: 'counter',
    values: [...alarmingCodes.filter((code) => !runs.some((run) => run.code === code)).map(none), ...runs].map(
      ({ outcome, code, count }) => ({ labels: { outcome, code }, value: count }),
    ),
  },
];

/** Reported from 0, so that an alert sees the first increase. */
export const alarmingCodes: readonly string[] = [
  'app_key_refused',
  'crashed',
  'disk_full',
  'github_unavailable',
  'internal',
  'model_auth',
  'model_invalid',
  'model_quota',
  'model_unavailable',
];
const none = (code: string) => ({ outcome: 'failed', code, count: 0 });
