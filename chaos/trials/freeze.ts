import { sql } from 'kysely';
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
        const stored = new Set(rows);
        const now = await readRows(jobIds);
        const changed = now.filter((line) => !stored.has(line)).map((line) => `this was stored: ${line}`);
        if (now.length < rows.length) changed.push('something stored is gone');
        ledger.count(3, trial, runs.length, [...added, ...changed]);
        return second;
      },
    });
    countTried(ledger, trial, tried);
  }

  /** All that is stored of these jobs, a line for each row. */
  async function readRows(jobIds: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ line: string }>`
      with own as (select * from runs where job_id = any(${jobIds}))
      select 'jobs: ' || to_jsonb(jobs)::text as line from jobs where job_id = any(${jobIds})
      union all select 'runs: ' || to_jsonb(own)::text from own
      union all select 'turns: ' || to_jsonb(turns)::text from turns join own using (run_id)
      union all select 'run_files: ' || to_jsonb(run_files)::text from run_files join own using (run_id)
      union all select 'messages: ' || to_jsonb(messages)::text from messages where job_id = any(${jobIds})
      union all select 'effects: ' || to_jsonb(effects)::text from effects where job_id = any(${jobIds})`.execute(
      world.database,
    );
    return rows.map(({ line }) => line);
  }
}
