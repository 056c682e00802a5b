import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Trial } from '../trial.ts';

/** After all of it: no workspace is left once a process has started, and no connection once all have ended. */
export async function countLeftovers({ world, rounds, ledger }: Trial): Promise<void> {
  await rounds.stop();
  for (const machine of ['a', 'b']) {
    const worker = await world.spawnWorker({ machine });
    await worker.kill('SIGTERM');
    const directory = join(world.directory, `machine-${machine}`, 'workspaces');
    const left = await readdir(directory).catch(() => []);
    ledger.count(
      28,
      'leftovers',
      1,
      left.map((name) => `the workspace ${name} was left on machine ${machine}`),
    );
  }
  await world.web()?.kill('SIGTERM');
  const { rows } = await sql<{ state: string }>`
    select application_name || ' ' || state as state from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and state <> 'idle'`.execute(world.database);
  ledger.count(
    28,
    'leftovers',
    1,
    rows.map(({ state }) => `a connection was left: ${state}`),
  );
  const runs = await sql`select from run_files`.execute(world.database);
  ledger.count(28, 'leftovers', 1, runs.rows.length > 0 ? [`${runs.rows.length} files of runs were left`] : []);
}
