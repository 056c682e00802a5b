import { setTimeout as delay } from 'node:timers/promises';
import { firstRun, instruct } from '../kinds.ts';
import { createRandom } from '../random.ts';
import { callApi } from '../sites.ts';
import type { Trial } from '../trial.ts';

const requestsEach = 12;

/** The process that answers, or its database, dies while requests come in: what was answered 201 is there, and ends. */
export async function tryAcceptance(
  { world, rounds, ledger, seed }: Trial,
  { times }: { times: number },
): Promise<void> {
  await rounds.stop();
  const random = createRandom(seed);
  const worker = await world.spawnWorker({ CLAIMS: 'open' });
  for (let time = 0; time < times; time += 1) {
    const isDatabase = time % 2 === 1;
    const site = await world.site('plain', 220 + time);
    const asked = Promise.all(
      Array.from({ length: requestsEach }, async () => {
        await delay(random.between(0, 60));
        return callApi(world.webUrl(), site, '', { prompt: instruct(firstRun.name, site) });
      }),
    );
    await delay(random.between(5, 60));
    if (isDatabase) await world.server.stop();
    else await world.web()?.kill('SIGKILL');
    const answers = await asked;
    if (isDatabase) await world.server.start();
    else await world.startWeb();
    const accepted = answers.flatMap(({ status, jobId }) => (status === 201 && jobId ? [jobId] : []));
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
    ledger.count(2, `acceptance: --seed ${seed}`, requestsEach, [
      ...lost.map((jobId) => `${jobId} was accepted and is not there`),
      ...wrong.map((answer) => `the answer was ${JSON.stringify(answer)}`),
      ...unsettled,
    ]);
  }
  await worker.kill('SIGTERM');
}
