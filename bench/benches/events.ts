import { setTimeout as delay } from 'node:timers/promises';
import { createProject } from '../../harness/create-project.ts';
import { openStream } from '../../harness/open-stream.ts';
import { serveApi } from '../../harness/serve-api.ts';
import { createSilentLog } from '../../src/log.ts';
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
const idleStreams = { keys: 10, each: 100 };

/** From the commit of a fact to its line in a stream, and the memory of idle streams. Takes half a minute. */
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
    await measureIdle(world, jobId),
  ];
}

async function measureOneProcess(world: BenchWorld, jobId: string): Promise<Figure> {
  await using store = await openStore(world.connection);
  const log = createSilentLog();
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
