import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../../../harness/eventually.ts';
import { call } from '../../../harness/script-steps.ts';
import type { Script } from '../../../local/model/script.ts';
import { type Figure, formatMs } from '../../figures/figure.ts';
import { formatMb, measureBytes, readProcess } from '../../figures/process-figures.ts';
import { readProcessorTime } from '../../figures/processor-time.ts';
import { type BenchWorld, openWorld } from '../../world/open-world.ts';

const levels = [0, 10, 50];
const repositories = 10;
const restMs = 5_000;
/** Text of 1.2 MB. */
const files = Object.fromEntries(
  Array.from({ length: 200 }, (_, page) => [
    `docs/${page}.md`,
    Array.from(
      { length: 100 },
      (_, line) => `Page ${page} says on line ${line} what line ${page * line} is for.\n`,
    ).join(''),
  ]),
);

/** The memory of a service by live jobs, each of which has read a page and waits for the model, and by repositories. Takes a minute. */
export async function benchSizes(): Promise<Figure[]> {
  let arrived = 0;
  const released = Promise.withResolvers<void>();
  const script: Script = async (request) => {
    world.model.requests.length = 0;
    if (request.turn === 0) return call('read_file', { path: 'docs/7.md' });
    arrived += 1;
    await released.promise;
    return request.turn === 1
      ? call('write_file', { path: `docs/new-${arrived}.md`, content: '# New\n' })
      : call('finish', { summary: 'It is written.', title: 'Write a page' });
  };
  await using world = await openWorld({ script, files, environment: { WORKER_CONCURRENCY: '50', ROLE: 'all' } });
  const clients = [world];
  const others = Array.from({ length: repositories - 1 }, (_, index) => world.addProject(`team-${index}`));
  const projects = [...clients, ...(await Promise.all(others))];
  await mkdir(join(world.dataDir, 'mirrors'), { recursive: true });
  const empty = await readDatabaseBytes(world);
  const figures: Figure[] = [];
  let live = 0;
  for (const level of levels) {
    for (; live < level; live += 1) await projects[live % repositories]?.createJob('Write a page.');
    await eventually(() => arrived >= level || undefined, { everyMs: 50, withinMs: 300_000 });
    figures.push(await describeLevel(world, level));
  }
  const mirrors = (await measureBytes(join(world.dataDir, 'mirrors'))) / repositories;
  released.resolve();
  await eventually(
    async () => {
      const active = await world.database.selectFrom('jobs').select('job_id').where('status', '=', 'active').execute();
      return active.length === 0 || undefined;
    },
    { everyMs: 100, withinMs: 300_000 },
  );
  const text = Object.values(files).reduce((sum, file) => sum + file.length, 0);
  const jobBytes = ((await readDatabaseBytes(world)) - empty) / live;
  return [
    ...figures,
    { what: `a mirror of a repository with ${formatMb(text)} of text`, measured: `${(mirrors / 1024).toFixed(0)} KB` },
    { what: 'database, empty', measured: formatMb(empty) },
    { what: 'database, each job of three turns', measured: `${(jobBytes / 1024).toFixed(0)} KB` },
  ];
}

async function describeLevel(world: BenchWorld, live: number): Promise<Figure> {
  const { rss } = await readProcess(world.pid);
  const workspaces = await measureBytes(join(world.dataDir, 'workspaces'));
  const before = await readProcessorTime([world.pid]);
  await delay(restMs);
  const used = ((await readProcessorTime([world.pid])) - before) / (restMs / 1_000);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database()`.execute(world.database);
  return {
    what: `${live} live jobs`,
    measured: `memory ${formatMb(rss)}, processor ${formatMs(used)} a second, workspaces ${formatMb(workspaces)}, ${rows[0]?.count ?? 0} connections`,
  };
}

async function readDatabaseBytes({ database }: BenchWorld): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_database_size(current_database())::float8 as bytes`.execute(database);
  return rows[0]?.bytes ?? Number.NaN;
}
