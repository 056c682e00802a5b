import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.ts';
import { countTried } from './crash.ts';
import type { RunKind } from './kinds/kind.ts';
import type { Point } from './processes/point.ts';
import { isOfQueue } from './rounds/rounds.ts';
import type { Trial } from './trial.ts';
import { listCounted, noteTakeovers } from './world/takeovers.ts';
import { callApi } from './world/trial-project.ts';

/** Slightly more than the promised two seconds, because the machine is busy. */
const answeredWithinMs = 2_500;
/** A lease outlives this, renewals before and after included, so that no worker loses one. */
const outlivedMs = 8_000;

/**
 * Stops the database for some seconds at every point of these kinds of run. Meanwhile the API answers 503, and never 201 for a job that is
 * lost.
 */
export async function tryOutages(
  { world, rounds, ledger }: Trial,
  {
    kinds,
    seconds,
    points = (point) => !isOfQueue(point),
  }: { kinds: readonly RunKind[]; seconds: number; points?: (point: Point) => boolean },
) {
  const trial = `outage of ${seconds} s`;
  let awayMs = 0;
  await using takeovers = await noteTakeovers(world.database);
  const tried = await rounds.play(kinds, {
    points,
    // The answer waits for the database and is lost only with the lease.
    repeats: (_kind, point) => (awayMs > outlivedMs && isAnsweredMeanwhile(point) ? 1 : 0),
    async disturb(worker) {
      const stoppedAt = performance.now();
      await world.server.stop();
      worker.order({ release: true });
      const accepted = await askMeanwhile();
      await world.server.start();
      awayMs = performance.now() - stoppedAt;
      const services = [worker, world.web()];
      for (const service of services) await untilReady(service?.url ?? '');
      const ended = services.filter((service) => service?.hasEnded());
      ledger.count(
        17,
        trial,
        services.length,
        ended.map(() => 'a process ended'),
      );
      const lost = await findLost(accepted);
      ledger.count(
        2,
        trial,
        accepted.length,
        lost.map((jobId) => `${jobId} was accepted and is lost`),
      );
      return worker;
    },
  });
  const broken = tried.flatMap(({ kind, point, differences }) =>
    differences.map(({ text }) => `${kind.name}, ${point}: ${text}`),
  );
  for (const { kind, point, trialJob } of tried)
    for (const text of listCounted(await takeovers.list(trialJob.jobId)))
      broken.push(`${kind.name}, ${point}: ${text}`);
  ledger.count(17, trial, tried.length, broken);
  countTried(ledger, trial, tried);

  /** Calls readiness and the API once a second. Returns the accepted jobs. */
  async function askMeanwhile(): Promise<string[]> {
    const project = await world.project('plain', 0);
    const accepted: string[] = [];
    for (let second = 0; second < seconds; second += 1) {
      const began = performance.now();
      const readiness = await fetch(`${world.webUrl()}/readyz`);
      ledger.count(17, trial, 1, readiness.status === 503 ? [] : [`/readyz answers ${readiness.status}`]);
      const answer = await callApi(world.webUrl(), project, '', { prompt: 'Not now.' });
      if (answer.status === 201 && answer.jobId) accepted.push(answer.jobId);
      const isRight = answer.status === 503 && answer.retryAfter !== null && answer.tookMs < answeredWithinMs;
      ledger.count(17, trial, 1, isRight ? [] : [`the API answered ${JSON.stringify(answer)}`]);
      await delay(Math.max(0, 1_000 - (performance.now() - began)));
    }
    return accepted;
  }

  async function untilReady(url: string): Promise<void> {
    const look = async () => (await fetch(`${url}/readyz`)).ok || undefined;
    await eventually(look, { what: `${url} is ready again` });
  }

  async function findLost(jobIds: readonly string[]): Promise<string[]> {
    if (jobIds.length === 0) return [];
    const found = await world.database.selectFrom('jobs').select('job_id').where('job_id', 'in', jobIds).execute();
    return jobIds.filter((jobId) => !found.some((job) => job.job_id === jobId));
  }
}

/** Here a run sends its model request, or has the answer, during the outage. At other points it needs the database first. */
const isAnsweredMeanwhile = (point: Point) =>
  /^(after open turn|before ask model|after ask model|before store answer) /.test(point);
