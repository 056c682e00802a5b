import { setTimeout as delay } from 'node:timers/promises';
import { type Stage, slowRun } from '../kinds.ts';
import { readOutcome } from '../outcome.ts';
import type { Trial } from '../trial.ts';

const goneWithinMs = 30_000;
/** On each of them one job after the other, as long as deploys go on. */
const sites = 6;

/** Rolling restarts of two workers under load: a new one is started, then the older one is sent SIGTERM. */
export async function tryDeploys({ world, rounds, ledger }: Trial, { restarts }: { restarts: number }): Promise<void> {
  await rounds.stop();
  const trial = 'deploys';
  const open = { CLAIMS: 'open' };
  const workers = [await world.spawnWorker(open), await world.spawnWorker(open)];
  const stages: Stage[] = [];
  const deployed = new AbortController();
  const load = Promise.all(Array.from({ length: sites }, (_, index) => loadSite(30 + index)));
  for (let restart = 0; restart < restarts; restart += 1) {
    workers.push(await world.spawnWorker(open));
    await delay(300);
    const began = performance.now();
    const code = await workers.shift()?.kill('SIGTERM');
    const tookMs = performance.now() - began;
    const isRight = code === 0 && tookMs < goneWithinMs;
    ledger.count(16, trial, 1, isRight ? [] : [`a worker ended with ${code} after ${Math.round(tookMs)} ms`]);
  }
  deployed.abort();
  await load;
  for (const stage of stages) {
    const { status, runs, asked } = await readOutcome(world, stage);
    const repeated = asked.length - new Set(asked).size;
    const isRight = status === 'completed' && runs.length === 1 && repeated === 0;
    const text = `${stage.jobId} is ${status} after ${runs.length} runs, ${repeated} requests were paid twice`;
    ledger.count(16, trial, 1, isRight ? [] : [text]);
  }
  for (const worker of workers) await worker.kill('SIGTERM');

  async function loadSite(nth: number): Promise<void> {
    const site = await world.site('plain', nth);
    while (!deployed.signal.aborted) {
      const stage = await world.createJob(site, slowRun.name);
      stages.push(stage);
      await world.settled([stage.jobId]);
      world.forgetStage(stage);
    }
  }
}
