import type { Kind } from '../kinds.ts';
import type { Trial } from '../trial.ts';
import { listWrites } from '../writes.ts';
import { countTried } from './crash.ts';

/** SIGSTOP at every point of these kinds of run, past the lease; another worker ends them; then SIGCONT: nothing more may happen. */
export async function tryFreezes({ world, rounds, ledger }: Trial, kinds: readonly Kind[]): Promise<void> {
  for (const [index, kind] of kinds.entries()) {
    const trial = `freeze: ${kind.name}`;
    const tried = await rounds.play([kind], {
      async disturb(frozen, runs) {
        const jobIds = runs.map(({ stage }) => stage.jobId);
        frozen.signal('SIGSTOP');
        const second = await world.spawnHeir(frozen, { CLAIMS: 'open', isSameDisk: index % 2 === 1 });
        await world.settled(jobIds);
        const writes = listWrites(world.github).length;
        const rows = await readRows(jobIds);
        // What it waits for is there when it wakes up, as is the end of its lease: it goes on with whichever it notices first.
        frozen.order({ release: true });
        frozen.signal('SIGCONT');
        // When it is gone, all that it was ever going to do is done.
        await frozen.kill('SIGTERM');
        const added = listWrites(world.github).slice(writes);
        const changed = rows === (await readRows(jobIds)) ? [] : ['what is stored of the runs changed'];
        ledger.count(3, trial, runs.length, [...added, ...changed]);
        return second;
      },
    });
    countTried(ledger, trial, tried);
  }

  async function readRows(jobIds: readonly string[]): Promise<string> {
    const runs = world.database.selectFrom('runs').selectAll().where('job_id', 'in', jobIds).orderBy('run_id');
    const jobs = world.database.selectFrom('jobs').selectAll().where('job_id', 'in', jobIds).orderBy('job_id');
    return JSON.stringify([await runs.execute(), await jobs.execute()]);
  }
}
