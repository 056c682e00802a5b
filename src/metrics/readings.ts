import type { Reading } from './instruments.ts';

interface Waiting {
  count: number;
  oldestSeconds: number;
}

/** What only the database knows and changes by the second, as the store reads it. */
export interface Backlog {
  jobs: Waiting;
  deliveries: Waiting;
  answers: Waiting;
  missedDeliveries: number;
  leases: number;
  blockedInstallations: number;
  suspendedInstallations: number;
}

/** The same of what there ever was. */
export interface Totals {
  jobs: readonly { status: string; count: number }[];
  runs: readonly { outcome: string; code: string; count: number }[];
}

/** What the process knows of itself at the moment. */
export interface Present {
  /** Undefined in a process that works on no runs. */
  worker: { live: number; slots: number } | undefined;
  connections: { open: number; idle: number; waiting: number };
  /** Of the file system that DATA_DIR lies on, in bytes; undefined where that cannot be told. */
  disk: { size: number; free: number } | undefined;
  version: string;
  role: string;
}

const gauge = (name: string, help: string, value: number): Reading => ({
  name,
  help,
  type: 'gauge',
  values: [{ value }],
});

export const describePresent = ({ worker, connections, disk, version, role }: Present): Reading[] => [
  {
    name: 'pagewright_build_info',
    help: 'Always 1: which version this is, and its role.',
    type: 'gauge',
    values: [{ labels: { version, role }, value: 1 }],
  },
  {
    name: 'pagewright_database_connections',
    help: 'The pool of this process: open, idle ones among them, and requests that wait for one.',
    type: 'gauge',
    values: Object.entries(connections).map(([state, value]) => ({ labels: { state }, value })),
  },
  ...(worker
    ? [
        gauge('pagewright_worker_live_runs', 'Runs that this process works on.', worker.live),
        gauge('pagewright_worker_slots', 'How many runs this process works on at the most.', worker.slots),
      ]
    : []),
  ...(disk
    ? [
        gauge('pagewright_data_free_bytes', 'Free space where DATA_DIR lies.', disk.free),
        gauge('pagewright_data_size_bytes', 'Size of the file system where DATA_DIR lies.', disk.size),
      ]
    : []),
];

export const describeDatabase = (isUp: boolean): Reading =>
  gauge('pagewright_database_up', 'Whether the database answered this scrape, or a moment before.', isUp ? 1 : 0);

/** The same from every process. */
export const describeBacklog = (backlog: Backlog): Reading[] => [
  gauge('pagewright_jobs_due', 'Jobs that wait for a worker.', backlog.jobs.count),
  gauge(
    'pagewright_jobs_due_oldest_seconds',
    'For how long the oldest of them has waited.',
    backlog.jobs.oldestSeconds,
  ),
  gauge('pagewright_leases', 'Jobs that some process works on.', backlog.leases),
  gauge(
    'pagewright_deliveries_waiting',
    'Webhook deliveries that are stored and not processed.',
    backlog.deliveries.count,
  ),
  gauge(
    'pagewright_deliveries_waiting_oldest_seconds',
    'For how long the oldest of them has waited.',
    backlog.deliveries.oldestSeconds,
  ),
  gauge(
    'pagewright_deliveries_missed',
    'Webhook deliveries that GitHub was asked for at least twice and could not deliver then either.',
    backlog.missedDeliveries,
  ),
  gauge('pagewright_answers_waiting', 'Answers on GitHub that are promised and not given.', backlog.answers.count),
  gauge(
    'pagewright_answers_waiting_oldest_seconds',
    'For how long the oldest of them has waited.',
    backlog.answers.oldestSeconds,
  ),
  gauge(
    'pagewright_installations_blocked',
    'Installations that wait for GitHub’s rate limit.',
    backlog.blockedInstallations,
  ),
  gauge('pagewright_installations_suspended', 'Installations that are suspended.', backlog.suspendedInstallations),
];

/** The same from every process. */
export const describeTotals = ({ jobs, runs }: Totals): Reading[] => [
  {
    name: 'pagewright_jobs',
    help: 'Jobs by status.',
    type: 'gauge',
    values: jobs.map(({ status, count }) => ({ labels: { status }, value: count })),
  },
  {
    name: 'pagewright_runs_ended_total',
    help: 'Runs that have ended, by outcome and code.',
    type: 'counter',
    values: [...alarmingCodes.filter((code) => !runs.some((known) => known.code === code)).map(none), ...runs].map(
      ({ outcome, code, count }) => ({ labels: { outcome, code }, value: count }),
    ),
  },
];

/** Codes that somebody should look into. Told of from the start, so that the first run that ends so can be seen to be one more. */
export const alarmingCodes: readonly string[] = [
  'app_key_refused',
  'crashed',
  'github_unavailable',
  'internal',
  'model_auth',
  'model_invalid',
  'model_quota',
  'model_unavailable',
];
const none = (code: string) => ({ outcome: 'failed', code, count: 0 });
