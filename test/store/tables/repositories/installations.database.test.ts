import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  blockInstallation,
  endBlock,
  findBlock,
  findInstallation,
  upsertInstallation,
} from '../../../../src/store/tables/repositories/installations.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/databases/database.ts';
import { aboutAt } from '../../../support/values/about-at.ts';

const installationId = 1001;

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made[Symbol.asyncDispose]());
beforeEach(async () => {
  await made.database.deleteFrom('installations').execute();
  await upsertInstallation(made.database, { installationId, account: 'acme', suspendedAt: null });
});

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
const refuse = (seconds: number) => blockInstallation(made.database, installationId, inSeconds(seconds));
const refuseUnstated = () => blockInstallation(made.database, installationId, inSeconds(60), { isStated: false });

/** Seconds until the block ends. */
async function readWait(): Promise<number> {
  const wait = sql<number>`extract(epoch from blocked_until - now())::float8`.as('seconds');
  return (await made.database.selectFrom('installations').select(wait).executeTakeFirstOrThrow()).seconds;
}

/** Lets time pass until the block is over, and longer. */
async function passBlock(moreSeconds = 1): Promise<void> {
  const passed = `${(await readWait()) + moreSeconds} seconds`;
  await sql`update installations set blocked_until = blocked_until - ${passed}::interval`.execute(made.database);
  await sql`update watermarks set moment = moment - ${passed}::interval`.execute(made.database);
}

test('promise 21: a block lasts until the time that GitHub states, in every process', async () => {
  const until = await refuse(3);
  expect(await findBlock(made.database, installationId)).toEqual({ until: aboutAt(until), isOver: false });
  expect(await readWait()).toBeGreaterThan(2.5);
  expect(await readWait()).toBeLessThanOrEqual(3);
  await passBlock();
  expect(await findBlock(made.database, installationId)).toMatchObject({ isOver: true });
});

test('promise 21: a shorter block never replaces a longer one', async () => {
  const until = await refuse(60);
  expect(await refuse(5)).toEqual(aboutAt(until));
  expect(await refuseUnstated()).toEqual(aboutAt(until));
  expect(await refuse(90)).toEqual(aboutAt(inSeconds(90)));
});

test('promise 21: a block without a stated end lasts a minute, and twice as long after each further refusal, up to an hour', async () => {
  const waits: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    await refuseUnstated();
    waits.push(Math.round(await readWait()));
    // Even after a long time without requests.
    await passBlock(count * 1000);
  }
  expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600]);
});

test('promise 21: concurrent refusals block the installation once', async () => {
  const until = inSeconds(60);
  const ends = await Promise.all(Array.from({ length: 8 }, () => refuseUnstated()));
  expect(ends).toEqual(ends.map(() => aboutAt(until)));
  expect(Math.round(await readWait())).toBe(60);
});

test('promise 21: after a success or a stated end, the next block lasts a minute again', async () => {
  await refuseUnstated();
  await passBlock();
  await endBlock(made.database, installationId);
  expect(await findBlock(made.database, installationId)).toBeUndefined();
  await refuseUnstated();
  expect(Math.round(await readWait())).toBe(60);
  await passBlock();
  await refuse(5);
  await passBlock();
  await refuseUnstated();
  expect(Math.round(await readWait())).toBe(60);
});

test('promise 21: the success of a request that was sent before a block does not end it', async () => {
  const until = await refuseUnstated();
  await endBlock(made.database, installationId);
  expect(await findBlock(made.database, installationId)).toEqual({ until: aboutAt(until), isOver: false });
  await passBlock();
  await refuseUnstated();
  expect(Math.round(await readWait())).toBe(120);
});

test.each([-1, 1])('promise 21: a process whose clock is %i h off waits as long as the others', async (hours) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3600_000 });
  try {
    expect(await refuse(60)).toEqual(aboutAt(inSeconds(60)));
    expect(await findBlock(made.database, installationId)).toEqual({ until: aboutAt(inSeconds(60)), isOver: false });
    expect(await refuseUnstated()).toEqual(aboutAt(inSeconds(60)));
    expect(Math.round(await readWait())).toBe(60);
  } finally {
    vi.useRealTimers();
  }
});

test('each installation has its own block, and an unknown installation has none', async () => {
  const other = 1002;
  await upsertInstallation(made.database, { installationId: other, account: 'other', suspendedAt: null });
  await refuse(60);
  expect(await findBlock(made.database, other)).toBeUndefined();
  const until = inSeconds(60);
  expect(await blockInstallation(made.database, 4711, until)).toEqual(until);
  expect(await findBlock(made.database, 4711)).toBeUndefined();
});

test('an answer of GitHub from before a suspension does not clear it, and a later answer does', async () => {
  const { database } = made;
  const read = () => findInstallation(database, installationId);
  const unsuspended = { installationId, account: 'acme', suspendedAt: null };
  const rowBeforeRequest = await read();
  await sql`update installations set suspended_at = now()`.execute(database);
  await upsertInstallation(database, { ...unsuspended, rowBeforeRequest });
  expect(await read()).toMatchObject({ suspended_at: expect.any(Date) });
  await upsertInstallation(database, { ...unsuspended, rowBeforeRequest: await read() });
  expect(await read()).toMatchObject({ suspended_at: null });
});
