import { setTimeout as delay } from 'node:timers/promises';
import { compareOutcomes } from '../compare.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../database-proxy.ts';
import { firstRun } from '../kinds.ts';
import { readOutcome, subtract } from '../outcome.ts';
import { readBefore } from '../rehearse.ts';
import type { Trial } from '../trial.ts';

/** One run waits at each of these when it happens: what comes next needs the database. */
const points = ['after begin 1', 'before store answer 1', 'before record push 1', 'before end 1'];
const firstSite = 240;

/** What the network between a worker and the database does for some seconds, while runs are live. */
const disturbances: Record<string, (proxy: DatabaseProxy) => Promise<void> | void> = {
  'cut off': (proxy) => proxy.cut(),
  'half open': (proxy) => proxy.halfOpen(),
  'slow by 300 ms': (proxy) => proxy.delay(300),
};

/** Between a worker and its database stands a proxy; every run ends as it would have, without a restart. */
export async function tryNetwork({ world, rounds, ledger }: Trial, { seconds }: { seconds: number }): Promise<void> {
  const { outcome } = await rounds.rehearsed(firstRun);
  await rounds.stop();
  await using proxy = await startDatabaseProxy({ target: world.server.connection });
  const worker = await world.spawnWorker({ DATABASE_URL: proxy.databaseUrl });
  for (const [index, [name, disturb]] of Object.entries(disturbances).entries()) {
    const trial = `network: ${name}`;
    const sites = await Promise.all(
      points.map((_, nth) => world.site('plain', firstSite + index * points.length + nth)),
    );
    worker.order({ claims: 'closed' });
    const begun = await Promise.all(
      sites.map(async (site) => {
        const stage = { site, jobId: '', pullRequest: null, branch: null };
        return { before: await readBefore(world, firstRun, stage), stage: await world.createJob(site, firstRun.name) };
      }),
    );
    const plan = begun.map(({ stage: { jobId } }, nth) => ({ jobId, point: points[nth] ?? '' }));
    worker.order({ hold: plan });
    worker.order({ claims: 'open' });
    await worker.held(plan);
    await disturb(proxy);
    worker.order({ release: true });
    await delay(seconds * 1_000);
    await proxy.pass();
    await world.settled(begun.map(({ stage }) => stage.jobId));
    for (const { stage, before } of begun) {
      const found = subtract(await readOutcome(world, stage), before);
      // What the model answered meanwhile could not be stored.
      const differences = compareOutcomes(outcome, found, { repeats: 1 });
      const broken = differences.map(({ text }) => `${stage.jobId}: ${text}`);
      for (const promise of [1, 17]) ledger.count(promise, trial, 1, broken);
      world.forgetStage(stage);
    }
    ledger.count(17, trial, 1, worker.hasEnded() ? ['the process ended'] : []);
  }
  await worker.kill('SIGTERM');
}
