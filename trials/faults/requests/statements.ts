import { join } from 'node:path';
import type { SpawnedProcess } from '../../../harness/processes/spawn-process.ts';
import { spawnProcess } from '../../../harness/processes/spawn-process.ts';
import { startDatabaseProxy } from '../processes/database-proxy.ts';
import { startedSchema } from '../processes/point.ts';
import type { Trial } from '../trial.ts';
import { cancelAll, countPrompts, sendPatiently } from '../world/accepted.ts';
import { callApi } from '../world/trial-project.ts';

const program = join(import.meta.dirname, '../processes/accepting-api.ts');
/** A project that no round uses. */
const projectNumber = 241;
/** A job lets at most twenty messages wait. */
const messagesPerJob = 15;
/** Started ahead, so that a kill waits for no start. */
const spares = 3;

type Api = SpawnedProcess & { url: string };

/**
 * SIGKILL of the API in place of each chunk between it and the database, one after the other, while it accepts a request with an
 * Idempotency-Key: before each statement, after it, and after the commit. The request is repeated with its key: it is stored once.
 */
export async function tryStatements(
  { world, rounds, ledger }: Trial,
  { kills, signal, onLeft = () => {} }: { kills: number; signal: AbortSignal; onLeft?: (what: string) => void },
): Promise<void> {
  const trial = 'statements';
  await rounds.stop();
  const project = await world.project('plain', projectNumber);
  await using proxy = await startDatabaseProxy({ target: world.server.connection });
  let started = 0;
  const next = Array.from({ length: spares }, spawnApi);
  let api = await takeNext();
  let killed = 0;
  let jobId = await createJob();
  let messages = 0;

  for (const door of ['create', 'message'] as const) {
    const half = door === 'create' ? Math.ceil(kills / 2) : kills;
    let chunk = 1;
    for (let nth = 0; killed < half && !signal.aborted; nth += 1) {
      if (door === 'message' && messages === messagesPerJob) {
        jobId = await createJob();
        messages = 0;
      }
      messages += Number(door === 'message');
      const prompt = `By ${door}, ${nth}`;
      const send = () =>
        callApi(api.url, project, door === 'create' ? '' : `/${jobId}/message`, { prompt }, { key: prompt });
      const victim = api;
      const takeBack = proxy.stopAt(chunk, () => victim.child.kill('SIGKILL'));
      const first = await send();
      takeBack();
      // Past the last chunk, the request ends; the next round begins with the first one.
      chunk = first.status === 0 ? chunk + 1 : 1;
      if (first.status !== 0) continue;
      await victim.kill('SIGKILL');
      killed += 1;
      api = await takeNext();
      const second = await sendPatiently(send);
      const stored = (await countPrompts(world, project, [prompt])).get(prompt);
      const isRight = stored === 1 && second.status === (door === 'create' ? 201 : 200);
      const wrong = `${prompt}, chunk ${chunk - 1}: stored ${stored ?? 0} times; the second answer is ${second.status}`;
      ledger.count(23, trial, 1, isRight ? [] : [wrong]);
    }
  }
  if (killed < kills) onLeft(`${kills - killed} kills of ${trial}`);
  for (const left of [api, ...(await Promise.all(next))]) await left.kill('SIGKILL');
  await cancelAll(world, project);

  async function createJob(): Promise<string> {
    const created = await callApi(api.url, project, '', { prompt: 'Messages of it' });
    if (created.jobId === undefined) throw new Error(`could not create a job: ${created.status}`);
    return created.jobId;
  }

  /** The next process, with its connection to the database open. */
  async function takeNext(): Promise<Api> {
    next.push(spawnApi());
    const taken = await next.shift();
    if (!taken) throw new Error('no API was started');
    await callApi(taken.url, project, '/job_01jd2x8e4vf3r9c5w7k6t0mzqa');
    return taken;
  }

  async function spawnApi(): Promise<Api> {
    started += 1;
    const spawned = await spawnProcess({
      command: [process.execPath, program],
      cwd: join(world.directory, `accepting-api-${started}`),
      environment: { DATABASE_URL: proxy.databaseUrl, QUEUE_URL: world.server.databaseUrl },
      hasChannel: true,
    });
    let url: string | undefined;
    spawned.child.on('message', (message) => {
      url = startedSchema.parse(message).url;
    });
    const startedUrl = await spawned.started(() => url);
    return { ...spawned, url: startedUrl };
  }
}
