import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually.ts';
import type { Kind } from '../kinds.ts';
import { isOfQueue } from '../rounds.ts';
import type { ServiceProcess } from '../spawn-process.ts';
import type { Trial } from '../trial.ts';
import { listWrites } from '../writes.ts';

const stopsWithinMs = 5_000;
/** Some more than from one renewal to the next. */
const renewalMs = 2_500;

/** A person closes the pull request at every point of a run: nothing is pushed or changed any more, and the run lets go within seconds. */
export async function tryCloses({ world, rounds, ledger }: Trial, kind: Kind): Promise<void> {
  const trial = `closes: ${kind.name}`;
  await rounds.play([kind], {
    // What has ended is no run that could be stopped.
    points: (point) => !isOfQueue(point) && point !== 'after end 1',
    async disturb(worker, runs) {
      const jobIds = runs.map(({ stage }) => stage.jobId);
      for (const { stage } of runs) await world.rita.closePullRequest(stage.site.fullName, stage.pullRequest ?? 0);
      await world.untilArchived(jobIds);
      const writes = listWrites(world.github).length;
      // Each has been told by now, or is told by its next renewal.
      await delay(renewalMs);
      worker.order({ release: true });
      const isIdle = async () => (await countLive(worker)) === 0 || undefined;
      const late = await eventually(isIdle, { what: 'the worker lets go of its runs', withinMs: stopsWithinMs }).then(
        () => [],
        (error: Error) => [error.message],
      );
      await worker.kill('SIGTERM');
      const names = new Map(runs.map(({ stage, point }) => [stage.site.fullName, point]));
      const added = listWrites(world.github).slice(writes);
      const wrong = added.filter((write) => !/\/comments$|\/replies$/.test(write));
      ledger.count(14, trial, runs.length, [
        ...late,
        ...wrong.map((write) => `${write} (${[...names].find(([name]) => write.includes(name))?.[1]})`),
      ]);
      for (const { stage } of runs) world.forgetStage(stage);
      return world.spawnWorker({ CLAIMS: 'open' });
    },
  });
}

/** How many runs it works on, as it says itself. */
async function countLive({ url }: ServiceProcess): Promise<number> {
  const told = await (await fetch(`${url}/metrics`)).text();
  return Number(/^pagewright_worker_live_runs (\d+)$/m.exec(told)?.[1]);
}
