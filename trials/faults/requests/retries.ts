import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '../../../harness/random.ts';
import type { Trial } from '../trial.ts';
import { cancelAll, countPrompts, sendPatiently } from '../world/accepted.ts';
import { callApi } from '../world/trial-project.ts';

/** A project that no round uses. */
const projectNumber = 240;
/** By turns a new job and a message to an existing one; a job lets at most twenty messages wait. */
const requestsPerKill = 10;

/** SIGKILL of the web process while requests with an Idempotency-Key arrive. Each is repeated with its key: it is stored once. */
export async function tryRetries(
  { world, rounds, ledger, seed }: Trial,
  { kills, signal }: { kills: number; signal: AbortSignal },
): Promise<void> {
  const trial = `retries: --seed ${seed}`;
  await rounds.stop();
  const random = createRandom(seed);
  const project = await world.project('plain', projectNumber);
  const send = (url: string, prompt: string, path = '') => callApi(url, project, path, { prompt }, { key: prompt });
  let web = await world.spawn('web');
  let next = world.spawn('web');
  const began = performance.now();
  await Promise.all(Array.from({ length: requestsPerKill }, (_, nth) => send(web.url, `Undisturbed ${nth}`)));
  const longestMs = performance.now() - began;
  let cutOff = 0;

  for (let nth = 0; nth < kills && !signal.aborted; nth += 1) {
    const { jobId } = await send(web.url, `Messages of ${nth}`);
    const requests = Array.from({ length: requestsPerKill }, (_, index) => ({
      prompt: `Kill ${nth}, request ${index}`,
      path: index % 2 === 0 ? '' : `/${jobId}/message`,
      startsAfterMs: random.between(0, longestMs),
    }));
    const sent = requests.map(async ({ prompt, path, startsAfterMs }) => {
      await delay(startsAfterMs);
      return send(web.url, prompt, path);
    });
    await delay(random.between(0, 2 * longestMs));
    await web.kill('SIGKILL');
    const answers = await Promise.all(sent);
    web = await next;
    next = world.spawn('web');
    const repeated = await Promise.all(
      requests.map(({ prompt, path }) => sendPatiently(() => send(web.url, prompt, path))),
    );
    cutOff += answers.filter(({ status }) => status === 0).length;
    const stored = await countPrompts(
      world,
      project,
      requests.map(({ prompt }) => prompt),
    );
    const wrong = requests.flatMap(({ prompt }, index) => {
      const [first, second] = [answers[index], repeated[index]];
      const isSame = first?.jobId === undefined || first.jobId === second?.jobId;
      if (stored.get(prompt) === 1 && second?.jobId !== undefined && isSame) return [];
      return [`${prompt}: stored ${stored.get(prompt) ?? 0} times; answers ${JSON.stringify([first, second])}`];
    });
    ledger.count(23, trial, requests.length, wrong);
  }
  // If every answer arrived, nothing was tried.
  ledger.count(23, trial, 0, cutOff === 0 ? ['no request was cut off'] : []);
  for (const left of [web, await next]) await left.kill('SIGTERM');
  await cancelAll(world, project);
}
