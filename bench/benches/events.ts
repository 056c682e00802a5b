import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { createProject } from '../../harness/create-project.ts';
import { openStream } from '../../harness/open-stream.ts';
import { serveApi } from '../../harness/serve-api.ts';
import { createLog } from '../../src/log.ts';
import { receiveNotifications } from '../../src/store/postgres/notifications.ts';
import type { NewEvent } from '../../src/store/tables/jobs/event-data.ts';
import { recordEvents } from '../../src/store/tables/jobs/events.ts';
import { describeLatencies, type Figure } from '../figures/figure.ts';
import { readProcess, toMb } from '../figures/process-figures.ts';
import { openStore } from '../world/open-store.ts';
import { type BenchWorld, openWorld } from '../world/open-world.ts';
import { firstThen, leaveIt, writeFile } from '../world/scripts.ts';

const facts = 400;
const everyMs = 15;
const readers = 50;
const idleStreams = { keys: 10, each: 100 };

/** From the commit of a fact to its line in a stream, and what streams cost. Takes about a minute. */
export async function benchEvents(): Promise<Figure[]> {
  const script = firstThen(writeFile('page.md', 'One line.\n'), leaveIt);
  await using world = await openWorld({ script, files: { 'index.md': '# Acme\n' }, environment: { ROLE: 'web' } });
  const jobId = await world.createJob('Write the page.');
  return [
    await measureOneProcess(world, jobId),
    describeLatencies('event to line, another process', await measure(world, { url: world.url, jobId }), {
      share: 0.99,
      goalMs: 300,
    }),
    ...(await measureReaders(world, jobId)),
    await measureIdle(world, jobId),
  ];
}

async function measureOneProcess(world: BenchWorld, jobId: string): Promise<Figure> {
  await using store = await openStore(world.connection);
  const log = createLog({ level: 'silent', redact: (line) => line });
  await using notifications = receiveNotifications({ connection: world.connection, log });
  await using api = await serveApi({ store, log, notifications });
  const latencies = await measure(world, { url: api.url, jobId });
  return describeLatencies('event to line, same process', latencies, { share: 0.99, goalMs: 200 });
}

async function measure(
  { database, projectId, key }: BenchWorld,
  { url, jobId }: { url: string; jobId: string },
): Promise<number[]> {
  using stream = await openStream(`${url}/v2/agent/${projectId}/job/${jobId}/events?after=2`, { key });
  const latencies: number[] = [];
  for (let fact = 0; fact < facts; fact += 1) {
    const before = stream.events.length;
    await delay(Math.random() * everyMs);
    await database.transaction().execute((tx) => recordEvents(tx, jobId, [turnAnswered(fact)]));
    const committedAt = performance.now();
    await stream.until(({ length }) => length > before);
    latencies.push(Math.max(0, (stream.receivedAt[before] ?? Number.NaN) - committedAt));
  }
  return latencies;
}

/** A turn as a model writes it. */
const turnAnswered = (turn: number): NewEvent => ({
  type: 'turn.answered',
  data: {
    runId: 'run_bench',
    turn,
    text: 'I look at the page first. '.repeat(20),
    tools: ['read_file'],
    tokensIn: 5_000,
    tokensCached: 4_000,
    tokensOut: 100,
  },
});

/** Processor time of the service for each event, by the number of its readers. */
async function measureReaders(world: BenchWorld, jobId: string): Promise<Figure[]> {
  const { url, projectId, key, database, pid } = world;
  const costs: number[] = [];
  for (const count of [1, readers]) {
    const next = await world.database
      .selectFrom('jobs')
      .select('next_event')
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow();
    const address = `${url}/v2/agent/${projectId}/job/${jobId}/events?after=${next.next_event - 1}`;
    const streams = await Promise.all(Array.from({ length: count }, () => openStream(address, { key })));
    await delay(500);
    const before = await readProcessorMs(pid);
    for (let fact = 0; fact < facts; fact += 1) {
      await database.transaction().execute((tx) => recordEvents(tx, jobId, [turnAnswered(fact)]));
      await delay(5);
    }
    await Promise.all(streams.map((stream) => stream.until(({ length }) => length >= facts)));
    costs.push(((await readProcessorMs(pid)) - before) / facts);
    for (const stream of streams) stream.close();
  }
  const [one = Number.NaN, many = Number.NaN] = costs;
  const each = (many - one) / (readers - 1);
  return [
    { what: 'processor time of an event, 1 reader', measured: `${one.toFixed(2)} ms` },
    {
      what: `processor time of an event, ${readers} readers`,
      measured: `${many.toFixed(2)} ms, ${each.toFixed(3)} ms for each more reader`,
    },
  ];
}

async function measureIdle(world: BenchWorld, jobId: string): Promise<Figure> {
  const { url, projectId, database, pid } = world;
  const before = (await readProcess(pid)).rss;
  const project = await database
    .selectFrom('projects')
    .selectAll()
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  const { owner, repo, repository_id: repositoryId, installation_id: installationId } = project;
  const streams: { close: () => void }[] = [];
  for (let number = 0; number < idleStreams.keys; number += 1) {
    const name = `reader ${number}`;
    const { key } = await createProject(database, { owner, repo, repositoryId, installationId, name });
    const address = `${url}/v2/agent/${projectId}/job/${jobId}/events?after=2`;
    for (let stream = 0; stream < idleStreams.each; stream += 1) streams.push(await openStream(address, { key }));
  }
  await delay(5_000);
  const more = (await readProcess(pid)).rss - before;
  for (const stream of streams) stream.close();
  return {
    what: `memory of ${streams.length} idle streams`,
    measured: `${toMb(more).toFixed(0)} MB more`,
    goal: { text: '≤ 150 MB', isMet: toMb(more) <= 150 },
  };
}

/** User and system time of a process, from https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, in ticks of 10 ms. */
async function readProcessorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
