import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../harness/eventually.ts';
import type { RunKind } from '../kinds/kind.ts';
import type { Point } from '../processes/point.ts';
import { isOfQueue } from '../rounds/rounds.ts';
import { listCounted, noteTakeovers } from '../world/takeovers.ts';
import { callApi } from '../world/trial-project.ts';
import { countTried } from './crash.ts';
import type { Trial } from './trial.ts';

/** Some more than the two seconds that are promised: the machine is at work. */
const answeredWithinMs = 2_500;
/** A lease outlives this, with what it takes to renew it before and after: nobody lets go of anything. */
const outlivedMs = 8_000;

/**
 * The database goes down at every point, or these, of these kinds of run, for so long; everything has to go on by itself afterwards. Meanwhile the
 * API is asked: it has to say 503, and never 201 for what is not there afterwards.
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
    // It waits for the database, and is lost with the lease only.
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

  /** Once a second, each of what can be asked. Returns the jobs that were accepted. */
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

/** Whoever waits there asks the model, or has its answer, while the database is away. Everybody else needs the database first. */
const isAnsweredMeanwhile = (point: Point) =>
  /^(after open turn|before ask model|after ask model|before store answer) /.test(point);
