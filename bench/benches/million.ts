import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { startPostgres } from '../../harness/start-postgres.ts';
import { createSilentLog } from '../../src/log.ts';
import { createDatabase, type Database } from '../../src/store/postgres/database.ts';
import { claimJob } from '../../src/store/schedule/claim-job.ts';
import { listUnqueuedAnswers, listUnqueuedDeliveries } from '../../src/store/schedule/unqueued.ts';
import { readBacklog } from '../../src/store/tables/figures.ts';
import { hasJobOfPullRequest, listJobsWithPullRequest, lockOpenJobs } from '../../src/store/tables/jobs/jobs.ts';
import { removeOld } from '../../src/store/tables/remove-old.ts';
import { listProjectsInUse } from '../../src/store/tables/repositories/projects.ts';
import { describeLatencies, type Figure, formatMs, median, percentile, time } from '../figures/figure.ts';
import { fillId, fillWithFinished } from '../world/fill-database.ts';
import { type OpenApi, openApi } from '../world/open-api.ts';

const jobs = 1_000_000;
const rounds = 7;
const perRound = { reads: 300, creates: 150 };
const claims = 100;
const leased = 50;
const atMost = 1.5;
const large = ['jobs', 'messages', 'runs', 'effects', 'deliveries'];
const log = createSilentLog();

/** Compares requests with a million finished jobs and with none. Takes about three minutes and 3 GB of disk. */
export async function benchMillion(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'pagewright-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { connection } = cleanup.use(await startPostgres(dataDir));
  await using admin = createDatabase({ connection, log, max: 1 });
  await sql`create database few`.execute(admin);
  const many = cleanup.use(await openApi({ connection }));
  const few = cleanup.use(await openApi({ connection: { ...connection, database: 'few' } }));
  const filledMs = await time(() => fillWithFinished(connection, many.projectId, jobs));
  const known = await Promise.all(Array.from({ length: 200 }, () => few.create()));

  const claimMs = await measureClaims(many);
  const scanned = await findScans(many.database, many.projectId);
  const ofMany = () => fillId('job', 1 + Math.floor(Math.random() * jobs));
  const ofFew = () => known[Math.floor(Math.random() * known.length)] ?? '';
  const reads = await compare(
    perRound.reads,
    () => many.read(ofMany()),
    () => few.read(ofFew()),
  );
  const runs = await compare(
    perRound.reads,
    () => many.readRuns(ofMany()),
    () => few.readRuns(ofFew()),
  );
  const lists = await compare(
    perRound.reads,
    () => many.list('?limit=20'),
    () => few.list('?limit=20'),
  );
  const creates = await compare(
    perRound.creates,
    () => many.create(),
    () => few.create(),
  );
  return [
    { what: `${jobs.toLocaleString('en')} finished jobs put in`, measured: `${(filledMs / 1_000).toFixed(0)} s` },
    describeLatencies(`claim, 100 due and ${leased} leased`, claimMs, { share: 0.99 }),
    describeRounds('GET job', reads),
    describeRounds('GET runs', runs),
    describeRounds('a page of the list', lists),
    describeRounds('create', creates),
    {
      what: 'tables that what happens by itself reads whole',
      measured: scanned.length === 0 ? 'none' : scanned.join(', '),
      goal: { text: 'none', isMet: scanned.length === 0 },
    },
  ];
}

interface Round {
  many: number;
  few: number;
}

/** Alternates the requests, so that a slow moment of the machine slows both. Returns the p99 of each round. */
async function compare(count: number, ofMany: () => Promise<unknown>, ofFew: () => Promise<unknown>): Promise<Round[]> {
  const measured: Round[] = [];
  // The first round compiles and connects.
  for (let round = -1; round < rounds; round += 1) {
    const many: number[] = [];
    const few: number[] = [];
    for (let index = 0; index < count; index += 1) {
      if (index % 2 === 0) many.push(await time(ofMany));
      few.push(await time(ofFew));
      if (index % 2 === 1) many.push(await time(ofMany));
    }
    if (round >= 0) measured.push({ many: percentile(many, 0.99), few: percentile(few, 0.99) });
  }
  return measured;
}

function describeRounds(what: string, measured: readonly Round[]): Figure {
  const many = median(measured.map((round) => round.many));
  const few = median(measured.map((round) => round.few));
  const ratio = many / few;
  const text = `${formatMs(many)} against ${formatMs(few)}: ${ratio.toFixed(2)} (medians of ${measured.length} rounds)`;
  return { what: `${what}, p99`, measured: text, goal: { text: `≤ ${atMost}`, isMet: ratio <= atMost } };
}

/** Claims the last 100 due jobs beside 50 live leases, and leaves neither. */
async function measureClaims({ database, create }: OpenApi): Promise<number[]> {
  for (let job = 0; job < leased + claims; job += 1) await create();
  for (let lease = 0; lease < leased; lease += 1) await claimJob(database, 'bench');
  const measured: number[] = [];
  for (let claim = 0; claim < claims; claim += 1) {
    measured.push(await time(() => claimJob(database, 'bench')));
    await sql`update jobs set lease_until = null, lease_owner = null, due_at = now() where job_id = (
      select job_id from jobs where lease_until is not null order by due_at limit 1)`.execute(database);
  }
  return measured;
}

/** The large tables that timers and deliveries read from beginning to end. */
async function findScans(database: Database, projectId: string): Promise<string[]> {
  const before = await countScanned(database);
  const { signal } = new AbortController();
  await claimJob(database, 'bench');
  await claimJob(database, 'bench', { projectConcurrency: 1_000 });
  const queue = { schema: 'pgboss' };
  await listUnqueuedDeliveries({ database, queue });
  await listUnqueuedAnswers({ database, queue });
  await removeOld({ database, log }, { turnsDays: 30, deliveriesDays: 100_000 }, signal);
  await readBacklog(database);
  await listProjectsInUse(database, { by: 'compared_at' });
  await lockOpenJobs(database, projectId);
  await listJobsWithPullRequest(database, projectId);
  for (const branch of ['pagewright/change-7', undefined])
    await hasJobOfPullRequest(database, { repositoryId: 1, number: 2 * jobs, branch });
  const after = await countScanned(database);
  return large.filter((table) => (after.get(table) ?? 0) > (before.get(table) ?? 0));
}

async function countScanned(database: Database): Promise<Map<string, number>> {
  const rows: RawBuilder<{ table: string; scanned: number }> = sql`
    select relname as "table", seq_scan as scanned from pg_stat_user_tables where schemaname = 'public'`;
  // A connection reports its statistics at most once a second unless it is asked to flush them.
  // https://www.postgresql.org/docs/current/monitoring-stats.html
  await Promise.all(
    Array.from({ length: 10 }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.05)`.execute(database)),
  );
  await sql`select pg_sleep(1.2)`.execute(database);
  const { rows: found } = await rows.execute(database);
  return new Map(found.map(({ table, scanned }) => [table, scanned]));
}
