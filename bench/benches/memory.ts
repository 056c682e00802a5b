import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import type { Script } from '../../local/model/script.ts';
import { type Figure, formatMs } from '../figures/figure.ts';
import { formatMb, readProcess, readProcessorTime, toMb } from '../figures/process-figures.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';

const root = join(import.meta.dirname, '../..');
const levels = [0, 10, 50];
const turns = 20;
const goalMb = 400;
const restMs = 5_000;
const fileCount = 400;
/** A tool shows a page of up to 30,000 characters whole. */
const createPage = (sentence: string) => `${sentence.padEnd(59, '.')}\n`.repeat(500);

/**
 * The service of the package, by its live jobs, each with 20 turns of 30 KB in its conversation; then its peak again with text that JavaScript stores in two
 * bytes a character. Takes a minute.
 */
export async function benchMemory(): Promise<Figure[]> {
  execFileSync(process.execPath, [join(root, 'harness/package/build-package.ts'), '--service'], { stdio: 'ignore' });
  const plain = await measureLive(createPage('A sentence of a page of documentation.'));
  const wide = await measureLive(createPage('A “sentence” – one of a page’s.'));
  const isMet = toMb(plain.peakRss) <= goalMb;
  return [
    ...plain.figures,
    { what: 'after their ends', measured: formatMb(plain.endRss) },
    { what: 'at its peak', measured: formatMb(plain.peakRss), goal: { text: `≤ ${goalMb} MB`, isMet } },
    { what: 'at its peak, of pages with typographic quotes and dashes', measured: formatMb(wide.peakRss) },
  ];
}

async function measureLive(page: string) {
  let arrived = 0;
  const all = Promise.withResolvers<void>();
  const script: Script = async (request) => {
    // The stand-in's request log would take hundreds of megabytes.
    world.model.requests.length = 0;
    if (request.turn < turns) {
      return { calls: [{ name: 'read_file', arguments: { path: `docs/${request.turn}.md` } }] };
    }
    arrived += 1;
    await all.promise;
    return { calls: [{ name: 'finish', arguments: { summary: 'Nothing needs to change.' } }] };
  };
  const files = Object.fromEntries(
    Array.from({ length: fileCount }, (_, index) => [
      index < turns ? `docs/${index}.md` : `docs/${index % 20}/${index}.md`,
      index < turns ? page : page.slice(0, 6_000),
    ]),
  );
  // `pagewright start` has no compile cache, either.
  const environment = { WORKER_CONCURRENCY: String(Math.max(...levels)), NODE_COMPILE_CACHE: '' };
  const main = join(root, 'dist/main.js');
  await using world = await openWorld({ script, files, environment, main });
  const figures: Figure[] = [];
  for (const level of levels) {
    const missing = level - arrived;
    await Promise.all(Array.from({ length: missing }, () => world.createJob('Look at the pages.')));
    await eventually(() => arrived === level || undefined, { everyMs: 100, withinMs: 300_000 });
    figures.push(await describeLevel(world, level));
  }
  all.resolve();
  // Not through the API: when fifty runs end at once it may answer that the database is busy.
  await eventually(
    async () => {
      const active = await world.database.selectFrom('jobs').select('job_id').where('status', '=', 'active').execute();
      return active.length === 0 || undefined;
    },
    { everyMs: 100, withinMs: 120_000 },
  );
  const { rss: endRss, peakRss } = await readProcess(world.pid);
  return { figures, endRss, peakRss };
}

/** All of them wait for the model. One connection is the bench's. */
async function describeLevel({ pid, database }: BenchWorld, live: number): Promise<Figure> {
  const { rss } = await readProcess(pid);
  const before = await readProcessorTime([pid]);
  await delay(restMs);
  const used = ((await readProcessorTime([pid])) - before) / (restMs / 1_000);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database()`.execute(database);
  return {
    what: `${live} live jobs of ${turns} turns`,
    measured: `memory ${formatMb(rss)}, processor ${formatMs(used)} a second, ${rows[0]?.count ?? 0} connections`,
  };
}
