import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import { sendDueAutomations } from '../../src/automations/run-due.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import { hasAutomationOf, listAutomationsOf } from '../../src/store/tables/automations/automations.ts';
import { removeOldRows } from '../../src/store/tables/remove-old.ts';
import { describeLatencies, type Figure, formatMs, time } from '../figures/figure.ts';
import { readProcessorTime } from '../figures/process-figures.ts';
import { openAutomated } from '../world/open-automated.ts';
import { openStore } from '../world/open-store.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';
import { leaveIt } from '../world/scripts.ts';

const merges = 40;
const filled = { projects: 1_000, schedules: 10, occasions: 100 };
const windowMs = 60_000;
const environment = { AUTOMATION_RUNS_PER_DAY: '10000' };

/** From a merge to its run; what schedules and automations that wait cost; the size of the first input. Takes four minutes. */
export async function benchAutomations(): Promise<Figure[]> {
  return [await measureStarts(), ...(await measureInputs()), ...(await measureIdle())];
}

/** By the clock of the machine, which the stand-in for GitHub and the database share. */
async function measureStarts(): Promise<Figure> {
  await using world = await openWorld({ script: leaveIt, files: { 'index.md': '# Acme\n' }, environment });
  const { merge } = await openAutomated(world, { every: 'merge' });
  const took: number[] = [];
  for (let nth = 1; nth <= merges; nth += 1) {
    await delay(Math.random() * 200);
    const mergedAt = await merge(`src/file-${nth}.ts`, `export const value = ${nth};\n`);
    const events = world.database.selectFrom('events').select(['type', 'at']).orderBy('at');
    const { started } = await eventually(async () => {
      const found = await events.execute();
      const started = found.filter(({ type }) => type === 'run.started');
      const ended = found.filter(({ type }) => type === 'run.ended');
      return ended.length === nth ? { started } : undefined;
    });
    took.push((started.at(-1)?.at.getTime() ?? Number.NaN) - mergedAt);
  }
  return describeLatencies('merged to run started, `every: merge`', took, { share: 0.5, goalMs: 1_000 });
}

/** Each pull request has a patch of 12 KB. */
async function measureInputs(): Promise<Figure[]> {
  await using world = await openWorld({ script: leaveIt, files: { 'index.md': '# Acme\n' }, environment });
  const { merge, untilWaiting, run } = await openAutomated(world, { every: 'day' });
  const figures: Figure[] = [];
  for (const count of [1, 5, 20]) {
    for (let nth = 1; nth <= count; nth += 1)
      await merge(`src/of-${count}-${nth}.ts`, `export const limit = ${nth};\n`.repeat(540));
    await untilWaiting(count);
    await world.untilSettled(await run());
    const sent = world.model.requests.at(-1)?.body ?? '';
    const bytes = Buffer.byteLength(typeof sent === 'string' ? sent : JSON.stringify(sent));
    figures.push({
      what: `first request with ${count} pull requests`,
      measured: `${(bytes / 1024).toFixed(0)} KiB`,
      // The pull requests are bounded at 64 KiB; quotation marks and line ends are escaped in JSON.
      goal: { text: '≤ 100 KiB', isMet: bytes <= 100 * 1024 },
    });
  }
  return figures;
}

async function measureIdle(): Promise<Figure[]> {
  await using world = await openWorld({ script: leaveIt, files: { 'index.md': '# Acme\n' } });
  await using store = await openStore(world.connection);
  const { database } = world;
  const emptyMs = await measureWindow(world);
  await fill(database);
  const fullMs = await measureWindow(world);
  const { signal } = new AbortController();
  const before = await readStatistics(database);
  const sweepMs = await time(() => sendDueAutomations(store, signal));
  const sweep = subtract(await readStatistics(database), before);
  const webhookMs = await time(async () => {
    await hasAutomationOf(database, fillerRepository(7));
    await listAutomationsOf(database, fillerRepository(7));
  });
  await removeOldRows(database, 'passedOccasions', { days: 30, signal });
  const all = subtract(await readStatistics(database), before);
  return [
    {
      what: `look for what is due of ${(filled.projects * filled.schedules).toLocaleString('en')} schedules`,
      measured: `${formatMs(sweepMs)}, ${sweep.rows} rows read`,
      goal: { text: '≤ 50 ms', isMet: sweepMs <= 50 },
    },
    { what: 'look for the automations of a webhook', measured: formatMs(webhookMs) },
    {
      what: `of ${(filled.projects * filled.occasions).toLocaleString('en')} occasions and all automations, read whole`,
      measured: all.scans === 0 ? 'none' : `${all.scans} times`,
      goal: { text: 'none', isMet: all.scans === 0 },
    },
    {
      what: 'processor time of a minute, idle, service and PostgreSQL',
      measured: `${formatMs(fullMs)} beside them, ${formatMs(emptyMs)} without`,
      goal: { text: '≤ 1 s more', isMet: fullMs - emptyMs <= 1_000 },
    },
  ];
}

async function measureWindow({ pid, directory }: BenchWorld): Promise<number> {
  const [postgresPid] = (await readFile(join(directory, 'database/postgres/postmaster.pid'), 'utf8')).split('\n');
  const read = () => readProcessorTime([pid, Number(postgresPid)]);
  const before = await read();
  await delay(windowMs);
  return (await read()) - before;
}

const fillerRepository = (nth: number) => 1_000_000 + nth;

/** Projects with an automation for merges, ten schedules of the next month, and a hundred occasions that were passed over. */
async function fill(database: Database): Promise<void> {
  const { projects, schedules, occasions } = filled;
  await database.transaction().execute(async (tx) => {
    await sql`insert into installations (installation_id, account, suspended_at)
      select 900000 + n, 'filler-' || n, now() from generate_series(1, ${projects}::int) n`.execute(tx);
    await sql`insert into projects (project_id, installation_id, repository_id, owner, repo, default_branch)
      select 'proj_filler' || n, 900000 + n, ${fillerRepository(0)}::bigint + n, 'filler-' || n, 'docs', 'main'
      from generate_series(1, ${projects}::int) n`.execute(tx);
    await sql`insert into automations (project_id, name, setting, repository_id)
      select 'proj_filler' || n, 'follow', json_build_object('on', json_build_object('merged', 'filler-' || n || '/docs'),
        'every', 'merge', 'prompt', 'Follow.'), ${fillerRepository(0)}::bigint + n
      from generate_series(1, ${projects}::int) n`.execute(tx);
    await sql`insert into automations (project_id, name, setting, scheduled_at)
      select 'proj_filler' || n, 'tidy-' || m, '{"on": {"schedule": "0 6 * * 1"}, "every": "merge", "prompt": "Tidy."}',
        now() + interval '1 hour' * (1 + (n * m) % 700)
      from generate_series(1, ${projects}::int) n, generate_series(1, ${schedules}::int) m`.execute(tx);
    await sql`insert into occasions (project_id, automation, key, subject, state, reason, occurred_at, finished_at)
      select 'proj_filler' || n, 'follow', 'merged:' || m, '{"kind": "request", "title": "A change"}', 'passed',
        'A bot made it.', now(), now() - interval '1 hour' * m
      from generate_series(1, ${projects}::int) n, generate_series(1, ${occasions}::int) m`.execute(tx);
  });
  await sql`analyze`.execute(database);
}

interface Statistics {
  scans: number;
  rows: number;
}

const subtract = (after: Statistics, before: Statistics): Statistics => ({
  scans: after.scans - before.scans,
  rows: after.rows - before.rows,
});

/** Of the tables of automations: how often they were read whole, and the rows that any statement read. */
async function readStatistics(database: Database): Promise<Statistics> {
  await sql`select pg_stat_force_next_flush()`.execute(database);
  // A connection reports its statistics at most once a second.
  // https://www.postgresql.org/docs/current/monitoring-stats.html
  await delay(1_500);
  const { rows } = await sql<Statistics>`
    select sum(seq_scan)::float8 as scans, sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as rows
    from pg_stat_user_tables where schemaname = 'public' and relname in ('automations', 'occasions')`.execute(database);
  return rows[0] ?? { scans: 0, rows: 0 };
}
