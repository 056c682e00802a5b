import { eventually } from '../../../harness/eventually.ts';
import type { Script } from '../../../local/model/script.ts';
import type { Figure } from '../../figures/figure.ts';
import { formatMb, readProcess, toMb } from '../../figures/process-figures.ts';
import { openWorld } from '../../world/open-world.ts';

const jobs = 50;
const turns = 20;
const goalMb = 400;
const fileCount = 400;
/** A tool shows a page of up to 30,000 characters whole. */
const createPage = (sentence: string) => `${sentence.padEnd(59, '.')}\n`.repeat(500);

/** 50 live jobs, each 20 turns of 30 KB into its conversation; then again with text that JavaScript stores in two bytes a character. */
export async function benchMemory(): Promise<Figure[]> {
  const plain = await measureLive(createPage('A sentence of a page of documentation.'));
  const wide = await measureLive(createPage('A “sentence” – one of a page’s.'));
  const isMet = toMb(plain.peakRss) <= goalMb;
  return [
    { what: 'service, idle after its start', measured: formatMb(plain.idleRss) },
    { what: `with ${jobs} live jobs of ${turns} turns, all waiting for the model`, measured: formatMb(plain.liveRss) },
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
  const environment = { WORKER_CONCURRENCY: String(jobs) };
  await using world = await openWorld({ script, files, environment });
  const idle = await readProcess(world.pid);
  await Promise.all(Array.from({ length: jobs }, () => world.createJob('Look at the pages.')));
  await eventually(() => arrived === jobs || undefined, { everyMs: 100, withinMs: 300_000 });
  const live = await readProcess(world.pid);
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
  return { idleRss: idle.rss, liveRss: live.rss, endRss, peakRss };
}
