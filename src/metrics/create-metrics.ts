import { statfs } from 'node:fs/promises';
import packageJson from '../../package.json' with { type: 'json' };
import type { Tokens } from '../config/prices.ts';
import { Refusal } from '../errors.ts';
import type { TakeStep } from '../steps.ts';
import { contentType, createInstruments, type MetricReading, renderReadings } from './instruments.ts';
import {
  type BacklogReading,
  describeBacklog,
  describeDatabase,
  describePresent,
  describeTotals,
  type Present,
  type TotalsReading,
} from './readings.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const backlogKeptMs = 10_000;
/** Totals take longer to count and change slowly. */
const totalsKeptMs = 60_000;

/** `readBacklog` and `readTotals` need a deadline. Omits metrics of an unreachable database: no old value passes for a new one. */
export function createMetrics(options: {
  role: string;
  dataDir: string;
  readBacklog: () => Promise<BacklogReading>;
  readTotals: () => Promise<TotalsReading>;
}) {
  const { role, dataDir, readBacklog, readTotals } = options;
  const instruments = createInstruments();
  // Start at 0, so that an alert sees the first increase.
  for (const reason of ['ran_out', 'taken']) instruments.leaseLosses.inc({ reason }, 0);
  for (const result of ['clean', 'left', 'failed']) instruments.checks.inc({ result }, 0);
  for (const kind of ['primary', 'secondary']) instruments.gitHubLimits.inc({ kind }, 0);
  const findBacklog = cacheFor(backlogKeptMs, readBacklog);
  const findTotals = cacheFor(totalsKeptMs, readTotals);

  async function readDatabase(): Promise<MetricReading[]> {
    const backlog = await findBacklog();
    if (!backlog) return [describeDatabase(false)];
    const totals = await findTotals();
    return [describeDatabase(true), ...describeBacklog(backlog), ...(totals ? describeTotals(totals) : [])];
  }

  return {
    contentType,

    /** Never throws: without the database there are fewer. */
    async render(now: Present): Promise<string> {
      const present = describePresent(now, { disk: await readDisk(dataDir), version: packageJson.version, role });
      const readings = [...present, ...(await readDatabase())];
      return [await instruments.render(), await renderReadings(readings)].join('\n');
    },

    measure:
      (takeStep: TakeStep): TakeStep =>
      async (at, take) => {
        const startedAt = performance.now();
        const end = (result: string) => {
          instruments.steps.observe({ step: at.step, result }, secondsSince(startedAt));
          if (at.effect) instruments.effects.inc({ kind: at.effect, state: result });
        };
        try {
          const taken = await takeStep(at, take);
          end('done');
          return taken;
        } catch (error) {
          end(error instanceof Refusal ? 'refused' : 'failed');
          throw error;
        }
      },

    onClaimed({ waitedMs, isTakeover }: { waitedMs: number; isTakeover: boolean }): void {
      // A job that is taken over was not waiting, but running.
      if (isTakeover) instruments.takeovers.inc();
      else instruments.queueWait.observe(waitedMs / 1000);
    },

    onLeaseLost(reason: 'ran_out' | 'taken'): void {
      instruments.leaseLosses.inc({ reason });
    },

    /** Retries count separately. */
    onModelRequest(options: { model: string; outcome: string; durationMs: number; usage: Tokens | null }): void {
      const { model, outcome, durationMs, usage } = options;
      instruments.modelRequests.observe({ model, outcome }, durationMs / 1000);
      if (!usage) return;
      instruments.modelTokens.inc({ model, type: 'in' }, usage.tokensIn);
      instruments.modelTokens.inc({ model, type: 'cached' }, usage.tokensCached);
      instruments.modelTokens.inc({ model, type: 'out' }, usage.tokensOut);
    },

    /** About a frozen change. There are a dozen kinds. */
    onCheckReport({ ran, problems }: { ran: boolean; problems: readonly { kind: string; severity: string }[] }): void {
      instruments.checks.inc({ result: ran ? (problems.length === 0 ? 'clean' : 'left') : 'failed' });
      for (const { kind, severity } of problems) instruments.checkProblems.inc({ kind, severity });
    },

    /** `status` 0: no response. */
    onGitHubAnswered({ method, status }: { method: string; status: number }): void {
      instruments.gitHubRequests.inc({ method: toMethod(method), status: toClass(status) });
    },

    onWebhookPost({ result, durationMs }: { result: 'delivered' | 'failed' | 'given_up'; durationMs: number }): void {
      instruments.webhookPosts.observe({ result }, durationMs / 1000);
    },

    onGitHubLimit(kind: 'primary' | 'secondary'): void {
      instruments.gitHubLimits.inc({ kind });
    },

    onHttpRequest({ method, route, status, durationMs }: HttpReport): void {
      const labels = { method: toMethod(method), route: route ?? 'none', status: String(status) };
      instruments.httpRequests.observe(labels, durationMs / 1000);
    },
  };
}

interface HttpReport {
  method: string;
  /** A pattern, never a path. Undefined: no route matched. */
  route: string | undefined;
  status: number;
  durationMs: number;
}

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Clients may send any other method. */
const toMethod = (method: string) => (methods.has(method) ? method : 'other');
const toClass = (status: number) => (status === 0 ? 'none' : `${Math.floor(status / 100)}xx`);

/** Concurrent callers share one read. Returns undefined if the read fails. */
export function cacheFor<T>(cachedMs: number, read: () => Promise<T>): () => Promise<T | undefined> {
  let cached: { value: T; readAt: number } | undefined;
  let reading: Promise<T | undefined> | undefined;

  async function refresh(): Promise<T | undefined> {
    const readAt = performance.now();
    try {
      const value = await read();
      cached = { value, readAt };
      return value;
    } catch {
      cached = undefined;
      return undefined;
    } finally {
      reading = undefined;
    }
  }

  return async () => {
    if (cached && performance.now() - cached.readAt < cachedMs) return cached.value;
    reading ??= refresh();
    return reading;
  };
}

/** Undefined if unknown, for example before the directory exists. */
async function readDisk(directory: string): Promise<{ size: number; free: number } | undefined> {
  try {
    const { bsize, blocks, bavail } = await statfs(directory);
    return { size: blocks * bsize, free: bavail * bsize };
  } catch {
    return undefined;
  }
}
