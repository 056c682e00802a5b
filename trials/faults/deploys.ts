import { setTimeout as delay } from 'node:timers/promises';
import type { TrialJob } from './kinds/kind.ts';
import { slowRun } from './kinds/kinds.ts';
import { readOutcome } from './rounds/outcome.ts';
import type { Trial } from './trial.ts';
import { listCounted, listPauses, noteTakeovers } from './world/takeovers.ts';

const goneWithinMs = 30_000;
/** Far below the lease: a deploy notifies the other worker at once, which also polls every second. */
const takenUpWithinMs = 5_000;
/** Each gets one job after the other while the deploys last. */
const projects = 6;

/** Rolling restarts of two workers under load: a new one starts, then the older one gets SIGTERM. */
export async function tryDeploys({ world, rounds, ledger }: Trial, { restarts }: { restarts: number }): Promise<void> {
  await rounds.stop();
  const trial = 'deploys';
  const open = { CLAIMS: 'open' };
  await using takeovers = await noteTakeovers(world.database);
  const workers = [await world.spawnWorker(open), await world.spawnWorker(open)];
  const trialJobs: TrialJob[] = [];
  const deployed = new AbortController();
  const load = Promise.all(Array.from({ length: projects }, (_, index) => loadSite(30 + index)));
  for (let restart = 0; restart < restarts; restart += 1) {
    workers.push(await world.spawnWorker(open));
    await delay(300);
    const began = performance.now();
    const exit = await workers.shift()?.kill('SIGTERM');
    const tookMs = performance.now() - began;
    const isRight = exit?.code === 0 && tookMs < goneWithinMs;
    ledger.count(
      16,
      trial,
      1,
      isRight ? [] : [`a worker ended with ${exit?.code ?? exit?.signal} after ${Math.round(tookMs)} ms`],
    );
  }
  deployed.abort();
  await load;
  let met = 0;
  for (const trialJob of trialJobs) {
    const { status, runs, modelRequests } = await readOutcome(world, trialJob);
    const repeated = modelRequests.length - new Set(modelRequests).size;
    const isRight = status === 'completed' && runs.length === 1 && repeated === 0;
    const broken = isRight
      ? []
      : [`status ${status} after ${runs.length} runs; ${repeated} model requests were repeated`];
    const events = await takeovers.list(trialJob.jobId);
    const late = listPauses(events).filter((ms) => ms > takenUpWithinMs);
    broken.push(...listCounted(events), ...late.map((ms) => `it paused for ${ms} ms`));
    // No deploy interrupted a job that stayed with one worker.
    const isMet = events.filter(({ what }) => what !== 'released').length > 1;
    const texts = broken.map((text) => `${trialJob.jobId}: ${text}`);
    ledger.count(16, trial, isMet ? 1 : 0, texts);
    if (isMet) met += 1;
  }
  ledger.count(16, trial, 0, met === 0 ? ['no worker had a run when it ended'] : []);
  for (const worker of workers) await worker.kill('SIGTERM');

  async function loadSite(nth: number): Promise<void> {
    const project = await world.project('plain', nth);
    while (!deployed.signal.aborted) {
      const trialJob = await world.createJob(project, slowRun.name);
      trialJobs.push(trialJob);
      await world.settled([trialJob.jobId]);
      world.forgetTrialJob(trialJob);
    }
  }
}
