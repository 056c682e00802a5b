import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import { instruct } from '../kinds.ts';
import { createRandom } from '../random.ts';
import { callApi } from '../sites.ts';
import type { Trial } from '../trial.ts';

const requestsEach = 24;
/** Over so long they come in. */
const longestMs = 600;

/** The process that answers, or its database, dies while requests come in: what was answered 201 is there, and ends. */
export async function tryAcceptance(
  { world, rounds, ledger, seed }: Trial,
  { times }: { times: number },
): Promise<void> {
  await rounds.stop();
  const random = createRandom(seed);
  const worker = await world.spawnWorker({ CLAIMS: 'open' });
  const trial = `acceptance: --seed ${seed}`;
  let refused = 0;
  for (let time = 0; time < times; time += 1) {
    const isDatabase = time % 2 === 1;
    const site = await world.site('plain', 220 + time);
    const enough = random.between(1, requestsEach / 2);
    const accepted: string[] = [];
    const asked = Promise.all(
      Array.from({ length: requestsEach }, async () => {
        await delay(random.between(0, longestMs));
        const answer = await callApi(world.webUrl(), site, '', { prompt: instruct('nothing to change', site) });
        if (answer.status === 201 && answer.jobId) accepted.push(answer.jobId);
        return answer;
      }),
    );
    await eventually(async () => accepted.length >= enough || undefined, {
      what: 'some requests are accepted',
      everyMs: 5,
    });
    if (isDatabase) await world.server.stop();
    else await world.web()?.kill('SIGKILL');
    const answers = await asked;
    if (isDatabase) await world.server.start();
    else await world.startWeb();
    const wrong = answers.filter(({ status }) => ![0, 201, 503].includes(status));
    const all = await world.database
      .selectFrom('jobs')
      .select('job_id')
      .where('project_id', '=', site.projectId)
      .execute();
    const unsettled = await world.settled(all.map(({ job_id }) => job_id)).then(
      () => [],
      (error: Error) => [error.message],
    );
    const lost = accepted.filter((jobId) => !all.some((job) => job.job_id === jobId));
    refused += answers.length - accepted.length;
    ledger.count(2, trial, accepted.length, [
      ...lost.map((jobId) => `${jobId} was accepted and is not there`),
      ...wrong.map((answer) => `the answer was ${JSON.stringify(answer)}`),
      ...unsettled,
    ]);
  }
  // Where nothing was refused, nobody died in the middle.
  ledger.count(2, trial, 0, refused === 0 ? ['every request was accepted'] : []);
  await worker.kill('SIGTERM');
}
