import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { startPostgres } from '../../harness/start-postgres.ts';
import { createSilentLog } from '../../src/log.ts';
import { createDatabase, type Database } from '../../src/store/postgres/database.ts';
import { type Figure, formatMs, median, percentile } from '../figures/figure.ts';
import { readProcessorTime } from '../figures/process-figures.ts';
import type { Told } from '../peers/run-engine.ts';

const program = join(import.meta.dirname, '../peers/run-engine.ts');
const samples = 60;
const burst = { tasks: 200, runMs: 20 };
const idleMs = 20_000;
const recoveryWithinMs = 75_000;

type Engine = Told['engine'];
type Target = Pick<Told, 'engine' | 'connection' | 'packages'>;

/**
 * What carries the runs here, and what else could: pg-boss by itself, graphile-worker and DBOS, each with four slots in one process, on the same
 * PostgreSQL. `packages` has the last two: npm install graphile-worker @dbos-inc/dbos-sdk. Takes six minutes.
 */
export async function benchPeers({ packages }: { packages: string | undefined }): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-peers-'));
  cleanup.defer(() => rm(directory, { recursive: true, force: true }));
  const { connection } = cleanup.use(await startPostgres(directory));
  if ('connectionString' in connection) throw new Error('the embedded server is reached by its socket');
  const log = createSilentLog();
  const server = cleanup.use(createDatabase({ connection, log, max: 1 }));
  const engines: Engine[] = [
    'ours',
    'pg-boss',
    ...(packages ? (['graphile-worker', 'dbos', 'dbos-fast'] as const) : []),
  ];
  const figures: Figure[] = [];
  for (const engine of engines) {
    const database = engine.replaceAll('-', '_');
    await sql`create database ${sql.id(database)}`.execute(server);
    const target = { engine, packages: packages ?? '', connection: { ...connection, database } };
    figures.push(...(await measure(target, server)));
  }
  return figures;
}

async function measure(target: Target, server: Database): Promise<Figure[]> {
  const { engine } = target;
  await using adder = await start({ ...target, role: 'add', runMs: 0 });
  return [
    ...(await measureSpeed(target, adder, server)),
    {
      what: `${engine}: to the next start after kill -9 and a restart`,
      measured: await measureRecovery(target, adder),
    },
  ];
}

async function measureSpeed(target: Target, adder: Process, server: Database): Promise<Figure[]> {
  const { engine, connection } = target;
  await using worker = await start({ ...target, role: 'work', runMs: burst.runMs });
  const waits: number[] = [];
  // The first ones compile and connect.
  for (let sample = -5; sample < samples; sample += 1) {
    await delay(20 + Math.random() * 100);
    const addedAt = performance.now();
    adder.add();
    await worker.until('started', 1);
    if (sample >= 0) waits.push(performance.now() - addedAt);
    await worker.until('ended', 1);
  }
  const startedAt = performance.now();
  for (let task = 0; task < burst.tasks; task += 1) adder.add();
  await worker.until('ended', burst.tasks);
  const burstMs = performance.now() - startedAt;

  // What a burst leaves to do.
  await delay(5_000);
  const [cpu, transactions] = [await readProcessorTime([worker.pid]), await countTransactions(server, connection)];
  await delay(idleMs);
  const idleCpu = (await readProcessorTime([worker.pid])) - cpu;
  const idleTransactions = (await countTransactions(server, connection)) - transactions;
  const perMinute = 60_000 / idleMs;
  return [
    {
      what: `${engine}: added to started`,
      measured: `p50 ${formatMs(median(waits))}, p99 ${formatMs(percentile(waits, 0.99))} (n = ${waits.length})`,
    },
    {
      what: `${engine}: ${burst.tasks} tasks of ${burst.runMs} ms on 4 slots`,
      measured: `${formatMs(burstMs)}, of which 1,000 ms are the tasks`,
    },
    {
      what: `${engine}: a minute of an idle worker, and of what adds`,
      measured: `${formatMs(idleCpu * perMinute)} of a processor for the worker, ${(idleTransactions * perMinute).toFixed(0)} transactions`,
    },
  ];
}

async function measureRecovery(target: Target, adder: Process): Promise<string> {
  const work = { ...target, role: 'work', runMs: 2 * recoveryWithinMs } as const;
  {
    await using victim = await start(work);
    adder.add();
    await victim.until('started', 1);
    // Leases and heartbeats are young right after a start.
    await delay(3_000);
  }
  const killedAt = performance.now();
  await using survivor = await start(work);
  const isBack = await Promise.race([
    survivor.until('started', 1).then(() => true),
    delay(recoveryWithinMs, false, { ref: false }),
  ]);
  const seconds = ((performance.now() - killedAt) / 1_000).toFixed(1);
  return isBack ? `${seconds} s` : `not within ${recoveryWithinMs / 1_000} s`;
}

async function countTransactions(server: Database, { database }: Told['connection']): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (xact_commit + xact_rollback)::float8 as count from pg_stat_database where datname = ${database}`.execute(
    server,
  );
  return rows[0]?.count ?? Number.NaN;
}

type Process = Awaited<ReturnType<typeof start>>;

/** Disposing kills it with SIGKILL. */
async function start(told: Told) {
  const child = fork(program, [JSON.stringify(told)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const seen = { ready: 0, started: 0, ended: 0 };
  let look = () => {};
  child.on('message', (message: keyof typeof seen) => {
    seen[message] += 1;
    look();
  });
  /** Resolves once so many have come since the last call, which no longer count. */
  async function until(message: keyof typeof seen, count: number): Promise<void> {
    if (seen[message] < count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      look = () => seen[message] >= count && resolve();
      await promise;
    }
    seen[message] -= count;
  }
  await Promise.race([until('ready', 1), exited.then(() => Promise.reject(new Error(`${told.engine} ended`)))]);
  return {
    pid: child.pid ?? 0,
    add: () => void child.send('add'),
    until,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
