import packageJson from '../../package.json' with { type: 'json' };
import { Refusal } from '../errors.ts';
import type { TakeStep } from '../steps.ts';
import { contentType, createInstruments, type Reading, renderReadings } from './instruments.ts';
import { cacheFor } from './keep-for.ts';
import { readDisk } from './read-disk.ts';
import {
  type Backlog,
  describeBacklog,
  describeDatabase,
  describePresent,
  describeTotals,
  type Present,
  type Totals,
} from './readings.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const backlogKeptMs = 10_000;
/** Counting all there ever was takes longer, and changes slowly. */
const totalsKeptMs = 60_000;

/**
 * What Prometheus is told of this process, and of the database as far as that answers: `readBacklog` and `readTotals` have to end in time.
 * What they do not tell is left out, so nobody takes an old number for a new one. The rest are hooks for those who do the work.
 */
export function createMetrics({
  role,
  dataDir,
  readBacklog,
  readTotals,
}: {
  role: string;
  dataDir: string;
  readBacklog: () => Promise<Backlog>;
  readTotals: () => Promise<Totals>;
}) {
  const instruments = createInstruments();
  // From the start, so that the first one can be seen to be one more.
  for (const reason of ['ran_out', 'taken']) instruments.leaseLosses.inc({ reason }, 0);
  for (const kind of ['primary', 'secondary']) instruments.gitHubLimits.inc({ kind }, 0);
  const findBacklog = cacheFor(backlogKeptMs, readBacklog);
  const findTotals = cacheFor(totalsKeptMs, readTotals);

  async function readDatabase(): Promise<Reading[]> {
    const backlog = await findBacklog();
    if (!backlog) return [describeDatabase(false)];
    const totals = await findTotals();
    return [describeDatabase(true), ...describeBacklog(backlog), ...(totals ? describeTotals(totals) : [])];
  }

  return {
    contentType,

    /** The whole exposition. Never throws: without the database it is shorter. */
    async render(now: Pick<Present, 'worker' | 'connections'>): Promise<string> {
      const present = describePresent({ ...now, disk: await readDisk(dataDir), version: packageJson.version, role });
      const readings = [...present, ...(await readDatabase())];
      return [await instruments.render(), await renderReadings(readings)].join('\n');
    },

    /** Times each step, and counts each effect. */
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
      // Its job was due for as long as somebody worked on it, and was not waiting.
      if (isTakeover) instruments.takeovers.inc();
      else instruments.queueWait.observe(waitedMs / 1000);
    },

    /** `taken`: by another worker, or because its job was archived. */
    onLeaseLost(reason: 'ran_out' | 'taken'): void {
      instruments.leaseLosses.inc({ reason });
    },

    /** One try of one request to the model server. */
    onModelRequest({
      model,
      outcome,
      durationMs,
      usage,
    }: {
      model: string;
      outcome: string;
      durationMs: number;
      usage: { tokensIn: number; tokensOut: number; tokensCached: number } | null;
    }): void {
      instruments.modelRequests.observe({ model, outcome }, durationMs / 1000);
      if (!usage) return;
      instruments.modelTokens.inc({ model, type: 'in' }, usage.tokensIn);
      instruments.modelTokens.inc({ model, type: 'cached' }, usage.tokensCached);
      instruments.modelTokens.inc({ model, type: 'out' }, usage.tokensOut);
    },

    /** One answer of GitHub; `status` 0: none came. */
    onGitHubAnswered({ method, status }: { method: string; status: number }): void {
      instruments.gitHubRequests.inc({ method: toMethod(method), status: toClass(status) });
    },

    onGitHubLimit(kind: 'primary' | 'secondary'): void {
      instruments.gitHubLimits.inc({ kind });
    },

    /** One request that was answered; `route` is the pattern that it fitted, never its path. */
    onHttpRequest({ method, route, status, durationMs }: HttpReport): void {
      const labels = { method: toMethod(method), route: route ?? 'none', status: String(status) };
      instruments.httpRequests.observe(labels, durationMs / 1000);
    },
  };
}

export interface HttpReport {
  method: string;
  /** Undefined: no route fitted. */
  route: string | undefined;
  status: number;
  durationMs: number;
}

const secondsSince = (startedAt: number) => (performance.now() - startedAt) / 1000;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Who asks may make up others. */
const toMethod = (method: string) => (methods.has(method) ? method : 'other');
const toClass = (status: number) => (status === 0 ? 'none' : `${Math.floor(status / 100)}xx`);
