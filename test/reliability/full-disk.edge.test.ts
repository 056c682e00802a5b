import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { startInWorld } from '../../harness/start-service.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { createWorld, type World } from '../support/worlds/world.ts';
import { settled } from './crash-points.ts';
import { readGitHub } from './github-state.ts';
import { followInstruction } from './instructed-model.ts';

type Disk = NonNullable<ReturnType<typeof mountSmallDisk>>;
interface Moment {
  world: World;
  disk: Disk;
}

const isMountable = (() => {
  using disk = mountSmallDisk({ megabytes: 1 });
  return disk !== undefined;
})();

/** No row of a turn finds room. PostgreSQL says so in the same words. */
const fillDatabase = async ({ world: { database } }: Moment) => {
  await sql`create function find_no_room() returns trigger language plpgsql as $$ begin
    raise sqlstate '53100' using message = 'could not extend file: No space left on device';
  end $$`.execute(database.database);
  await sql`create trigger full_disk before insert on turns for each row execute function find_no_room()`.execute(
    database.database,
  );
};
const emptyDatabase = ({ world: { database } }: Moment) =>
  sql`drop trigger full_disk on turns`.execute(database.database);

/** When the disk fills, and what is then full. */
const faults: Record<string, { atStart?: typeof fillDatabase; inTurn?: (moment: Moment) => void; what: string }> = {
  'before the repository is fetched': { atStart: async ({ disk }) => disk.fill(), what: 'machine' },
  'while the agent writes': { inTurn: ({ disk }) => disk.fill(), what: 'machine' },
  'under the database': { atStart: fillDatabase, what: 'database' },
};

describe.runIf(isMountable)('a disk that is full', () => {
  test.each(Object.entries(faults))('%s makes the run wait, and say so, until there is room', async (_when, fault) => {
    const { atStart, inTurn, what } = fault;
    using disk = mountSmallDisk({ megabytes: 110 });
    if (!disk) throw new Error('this user may mount no disk');
    let moment: Moment | undefined;
    await using world = await createWorld({
      script(request) {
        if (moment && request.turn === 0) inTurn?.(moment);
        return followInstruction(request);
      },
    });
    moment = { world, disk };
    await using service = await startInWorld(world, { DATA_DIR: disk.path });
    const { caller } = service;
    await atStart?.(moment);
    const { id } = await caller.create('Apricots');
    const reason = `the disk of Pagewright’s ${what} is full`;
    const waits = async () => {
      const { runs } = await caller.runs(id);
      return runs.find((run) => isWaiting(run)) ? runs : undefined;
    };
    expect(await eventually(waits, { what: 'a run that waits' })).toMatchObject([
      { status: 'working', waitsFor: reason },
    ]);
    // Tried again and again, and told once.
    await dueNow(world, id);
    await eventually(async () => (await countTries(service.lines)) > 1 || undefined);
    await eventually(waits);

    if (what === 'machine') await disk.makeRoom();
    else await emptyDatabase(moment);
    moment = undefined;
    await dueNow(world, id);
    expect(await settled(world, id)).toBe('completed');
    const { rows } = await sql<{ reason: string }>`
      select data ->> 'reason' as reason from events where job_id = ${id} and type = 'run.waiting'`.execute(
      world.database.database,
    );
    expect(rows).toEqual([{ reason }]);
    expect(await caller.runs(id)).toMatchObject({ runs: [{ code: 'published', waitsFor: null }] });
    expect(await readGitHub(world, id)).toMatchObject({ branches: 1, pullRequests: 1, commits: ['Apricots'] });
  });
});

const isWaiting = (run: unknown) => typeof run === 'object' && run !== null && 'waitsFor' in run && run.waitsFor;

const dueNow = ({ database: { database } }: World, jobId: string) =>
  updateJob(database, jobId, { due_at: sql<Date>`now()` });

const countTries = async (lines: readonly string[]) =>
  lines.filter((line) => line.includes('"a run was interrupted"')).length;
