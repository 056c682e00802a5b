import type { Script } from '../local/model/script.ts';
import { eventually } from './eventually.ts';
import type { Figure } from './figure.ts';
import { openWorld } from './open-world.ts';
import { formatMb, readProcess, toMb } from './process-figures.ts';

const jobs = 50;
const turns = 20;
const goalMb = 400;
/** What a page holds that a tool shows whole: 30 KB. */
const page = `${'A sentence of a page of documentation.'.padEnd(59, '.')}\n`.repeat(500);
const fileCount = 400;

/**
 * The memory of a service with 50 live jobs, all of them in the middle of a conversation of 20 turns with 30 KB of a tool's output each,
 * in a repository of 400 files. Needs about a minute.
 */
export async function benchMemory(): Promise<Figure[]> {
  let arrived = 0;
  const all = Promise.withResolvers<void>();
  const script: Script = async (request) => {
    // What the stand-in keeps of requests is not the matter, and would be hundreds of megabytes.
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
  const jobIds = await Promise.all(Array.from({ length: jobs }, () => world.createJob('Look at the pages.')));
  await eventually(() => arrived === jobs || undefined, { everyMs: 100, withinMs: 300_000 });
  const live = await readProcess(world.pid);
  all.resolve();
  for (const jobId of jobIds) await world.untilSettled(jobId);
  const { rss, peakRss } = await readProcess(world.pid);
  const isMet = toMb(peakRss) <= goalMb;
  return [
    { what: 'service, idle after its start', measured: formatMb(idle.rss) },
    { what: `with ${jobs} live jobs of ${turns} turns, all waiting for the model`, measured: formatMb(live.rss) },
    { what: 'after their ends', measured: formatMb(rss) },
    { what: 'at its peak', measured: formatMb(peakRss), goal: { text: `≤ ${goalMb} MB`, isMet } },
  ];
}
