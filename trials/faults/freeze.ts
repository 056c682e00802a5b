import { countTried } from './crash.ts';
import type { RunKind } from './kinds/kind.ts';
import type { Trial } from './trial.ts';
import { watchForMore } from './world/writes.ts';

/** SIGSTOP at every point of these kinds of run, past the lease; another worker ends them. After SIGCONT nothing more may happen. */
export async function tryFreezes({ world, rounds, ledger }: Trial, kinds: readonly RunKind[]): Promise<void> {
  for (const [index, kind] of kinds.entries()) {
    const trial = `freeze: ${kind.name}`;
    const tried = await rounds.play([kind], {
      async disturb(frozen, runs) {
        const jobIds = runs.map(({ trialJob }) => trialJob.jobId);
        frozen.signal('SIGSTOP');
        const second = await world.spawnHeir(frozen, { CLAIMS: 'open', isSameDisk: index % 2 === 1 });
        await world.settled(jobIds);
        const listMore = await watchForMore(world, jobIds);
        // When it wakes, both the awaited answer and the end of its lease are there: it continues with either.
        frozen.order({ release: true });
        frozen.signal('SIGCONT');
        // After its exit nothing more can come from it.
        await frozen.kill('SIGTERM');
        ledger.count(3, trial, runs.length, await listMore());
        return second;
      },
    });
    countTried(ledger, trial, tried);
  }
}
