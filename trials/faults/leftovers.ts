import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import { createGit } from '../../src/git/git.ts';
import { createMirrorDirectory } from '../../src/git/mirrors/mirror-directory.ts';
import { firstRun, slowRun } from './kinds/kinds.ts';
import type { Trial } from './trial.ts';
import type { World } from './world/world.ts';

const name = 'leftovers';
const nth = 260;
/** A run ends before its workspace is removed. PostgreSQL ends an abandoned transaction after thirty seconds. */
const tidyWithinMs = 10_000;

/**
 * A starting worker removes what killed workers left; an idle worker, and one that has handed over its run, leave nothing. Uses one worker
 * per machine.
 */
export async function countLeftovers(trial: Trial): Promise<void> {
  const { world, rounds, ledger } = trial;
  await rounds.stop();
  const project = await world.project('plain', nth);
  const first = await world.spawnWorker({ machine: 'a', CLAIMS: 'open' });
  const halves = { a: await listHalfMirrors(world, 'a'), b: await listHalfMirrors(world, 'b') };
  const { jobId } = await world.createJob(project, firstRun.name);
  await world.settled([jobId]);
  await countWorkspaces(trial, name, 'a');
  await countConnections(trial);

  await first.closeClaims();
  const handedOver = await world.createJob(project, slowRun.name);
  const plan = [{ jobId: handedOver.jobId, point: 'after store results 1' }];
  first.order({ hold: plan });
  first.order({ claims: 'open' });
  await first.held(plan);
  first.order({ release: true });
  await first.kill('SIGTERM');
  await countWorkspaces(trial, name, 'a', { withinMs: 0 });

  const second = await world.spawnWorker({ machine: 'b', CLAIMS: 'open' });
  await world.settled([handedOver.jobId]);
  await countWorkspaces(trial, name, 'b');
  await second.kill('SIGTERM');
  for (const machine of ['a', 'b'] as const) await countMirrors(trial, machine, halves[machine]);

  const { rows } = await sql`select from run_files`.execute(world.database);
  ledger.count(28, name, 1, rows.length > 0 ? [`${rows.length} files of runs were left`] : []);
}

/** Needs a machine whose live workers are idle and started after all others had ended, and one of them must have had a run. */
export async function countWorkspaces(
  { world, ledger }: Pick<Trial, 'world' | 'ledger'>,
  trial: string,
  machine: string,
  { withinMs = tidyWithinMs }: { withinMs?: number } = {},
): Promise<void> {
  const directory = join(world.directory, `machine-${machine}`, 'workspaces');
  let left: string[] = [];
  const look = async () => {
    left = (await readdir(directory)).map((folder) => `the workspace ${folder} was left on machine ${machine}`);
    return left.length === 0 || undefined;
  };
  await eventually(look, { what: 'no workspace is left', withinMs }).catch((error: Error) => {
    if (left.length === 0) left = [error.message];
  });
  ledger.count(28, trial, 1, left);
}

/** The timers of an idle process take milliseconds, so there is a moment without active connections. */
async function countConnections({ world, ledger }: Trial): Promise<void> {
  let left: string[] = [];
  const look = async () => {
    const { rows } = await sql<{ state: string }>`
      select pid || ' is ' || state || ': ' || query as state from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and state <> 'idle'`.execute(world.database);
    left = rows.map(({ state }) => `a connection of an idle process was left: ${state}`);
    return left.length === 0 || undefined;
  };
  await eventually(look, { what: 'all connections are idle', withinMs: tidyWithinMs }).catch(() => {});
  ledger.count(28, name, 1, left);
}

const mirrorsOf = ({ directory }: World, machine: string) => join(directory, `machine-${machine}`, 'mirrors');

/** Mirrors whose maker was killed. Each stays for a day, because a live worker may still be making it. */
async function listHalfMirrors(world: World, machine: string): Promise<string[]> {
  const directory = mirrorsOf(world, machine);
  // No worker may have used this machine yet.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return (await readdir(directory)).filter((folder) => folder.startsWith('.new-'));
}

/** Finds mirrors half made since `earlier`, and mirrors half removed. */
async function countMirrors({ world, ledger }: Trial, machine: string, earlier: readonly string[]): Promise<void> {
  const directory = mirrorsOf(world, machine);
  await createMirrorDirectory({ git: createGit({ allowHttp: true }), directory }).removeLeftovers();
  const found = await readdir(directory);
  const left = found.filter((folder) => folder.startsWith('.') && !earlier.includes(folder));
  const broken = left.map((folder) => `${folder} was left beside the mirrors of machine ${machine}`);
  if (!found.some((folder) => folder.endsWith('.git'))) broken.push(`no mirrors on machine ${machine}`);
  ledger.count(28, name, 1, broken);
}
