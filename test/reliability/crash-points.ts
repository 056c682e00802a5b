import { sql } from 'kysely';
import { eventually } from '../../harness/eventually.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import type { JobStatus } from '../../src/store/tables/columns.ts';
import type { World } from '../support/worlds/world.ts';
import { followInstruction } from './instructed-model.ts';

/** A place where a run is stopped in its tracks: it waits there for as long as nobody lets it go on. */
export interface Held {
  /** Resolves when the run has got there. */
  reached(): Promise<unknown>;
  /** To be called when the process is dead: what GitHub, the model or the database still had to do for it, they do now. */
  release(): void;
}

export type CrashPoint = (world: World) => Held | Promise<Held>;

/** The run waits for the answer to a request that GitHub has done. */
export function atRequest(method: string, path: RegExp): CrashPoint {
  return ({ github }) => {
    const seen = github.requests.length;
    const fault = github.inject({ method, path, kind: 'hold-after' });
    const isDone = () => github.requests.slice(seen).some((request) => path.test(request.path) && request.done);
    return { reached: () => eventually(() => (fault.hits() === 1 && isDone()) || undefined), release: fault.release };
  };
}

/** The model was asked for this turn, and thinks. */
export function atModelRequest(turn: number): CrashPoint {
  return ({ model }) => {
    const arrived = Promise.withResolvers<void>();
    const thought = Promise.withResolvers<void>();
    model.setScript(async (request) => {
      if (request.turn === turn) {
        // Only this one waits: whoever asks next is answered.
        model.setScript(followInstruction);
        arrived.resolve();
        await thought.promise;
      }
      return followInstruction(request);
    });
    return { reached: () => arrived.promise, release: thought.resolve };
  };
}

/** Lets nobody write to a table until `release`; reading goes on. */
export async function lockTable(database: Database, table: 'messages'): Promise<{ release(): void }> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = database.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx);
    locked.resolve();
    await released.promise;
  });
  await Promise.race([locked.promise, holding]);
  return { release: released.resolve };
}

/** What time does: the lease of a dead or frozen worker runs out. */
export async function expireLease(database: Database, jobId: string): Promise<void> {
  await sql`update jobs set lease_until = now() where job_id = ${jobId}`.execute(database);
}

/** What became of a job. Asked of the database: dozens of these tests, each asking over HTTP all the time, take the machine's time away. */
export function settled({ database: { database } }: World, jobId: string): Promise<JobStatus> {
  return eventually(
    async () => {
      const job = await database
        .selectFrom('jobs')
        .select('status')
        .where('job_id', '=', jobId)
        .executeTakeFirstOrThrow();
      return job.status === 'active' ? undefined : job.status;
    },
    { withinMs: 120_000 },
  );
}
