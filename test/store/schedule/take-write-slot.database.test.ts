import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createSilentLog } from '../../../src/log.ts';
import { createDatabase } from '../../../src/store/postgres/database.ts';
import { takeWriteSlot, writeBurst } from '../../../src/store/schedule/take-write-slot.ts';
import { upsertInstallation } from '../../../src/store/tables/repositories/installations.ts';
import { realTiming } from '../../../src/timing.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { aboutAt } from '../../support/values/about-at.ts';

const installationId = 1001;
const patienceMs = 30_000;

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made[Symbol.asyncDispose]());
beforeEach(async () => {
  await made.database.deleteFrom('installations').execute();
  await upsertInstallation(made.database, { installationId, account: 'acme', suspendedAt: null });
});

/** Lets time pass. */
const pass = (ms: number) =>
  sql`update installations set writes_until = writes_until - ${ms} * interval '1 millisecond'`.execute(made.database);

async function takeMany(count: number, database = made.database) {
  const slots = [];
  for (let index = 0; index < count; index += 1)
    slots.push(await takeWriteSlot(database, installationId, { patienceMs }));
  return slots;
}

test('promise 21: the first writes pass at once, and later writes a second apart', async () => {
  const slots = await takeMany(writeBurst + 3);
  expect(slots.every(({ isTaken }) => isTaken)).toBe(true);
  const waits = slots.map(({ waitMs }) => Math.ceil(waitMs / realTiming.writes.everyMs));
  expect(waits).toEqual([0, 0, 0, 0, 0, 0, 1, 2, 3]);
});

test('promise 21: an unused bucket becomes full again, and never more than full', async () => {
  await takeMany(writeBurst);
  await pass(3_000);
  expect((await takeMany(4)).map(({ waitMs }) => Math.ceil(waitMs / realTiming.writes.everyMs))).toEqual([0, 0, 0, 1]);
  await pass(3_600_000);
  expect((await takeMany(writeBurst + 1)).map(({ waitMs }) => waitMs > 0).filter(Boolean)).toHaveLength(1);
});

test('promise 21: 40 concurrent writes of two processes share one bucket and take no slot that is too far away', async () => {
  const log = createSilentLog();
  const other = createDatabase({ connection: made.connection, log });
  const slots = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      takeWriteSlot(index % 2 === 0 ? made.database : other, installationId, { patienceMs }),
    ),
  );
  await other.destroy();
  const taken = slots.filter(({ isTaken }) => isTaken).map(({ waitMs }) => waitMs);
  // A second may begin meanwhile.
  expect(taken.length).toBeGreaterThanOrEqual(writeBurst + patienceMs / realTiming.writes.everyMs);
  expect(taken.length).toBeLessThanOrEqual(writeBurst + patienceMs / realTiming.writes.everyMs + 1);
  expect(Math.max(...taken)).toBeLessThanOrEqual(patienceMs);
  const seconds = taken.filter((waitMs) => waitMs > 0).map((waitMs) => Math.ceil(waitMs / realTiming.writes.everyMs));
  expect(new Set(seconds).size).toBeGreaterThanOrEqual(seconds.length - 1);
  for (const { isTaken, waitMs } of slots)
    if (!isTaken) expect(waitMs).toBeGreaterThan(patienceMs - realTiming.writes.everyMs);
});

test('a write does not reserve a slot that is too far away', async () => {
  await takeMany(writeBurst);
  const late = await takeWriteSlot(made.database, installationId, { patienceMs: 0 });
  expect(late).toMatchObject({ isTaken: false });
  const next = await takeWriteSlot(made.database, installationId, { patienceMs });
  expect(next.waitMs).toBeLessThanOrEqual(late.waitMs);
  expect(next.isTaken).toBe(true);
});

test('promise 21: a blocked installation has no slots until its block is over', async () => {
  const block = (until: string) =>
    sql`update installations set blocked_until = now() + ${until}::interval`.execute(made.database);
  await block('1 minute');
  const slot = await takeWriteSlot(made.database, installationId, { patienceMs });
  const until = aboutAt(new Date(Date.now() + 60_000));
  expect(slot).toMatchObject({ isTaken: false, block: { until, isOver: false } });
  await block('-1 minute');
  expect(await takeWriteSlot(made.database, installationId, { patienceMs })).toMatchObject({
    isTaken: true,
    waitMs: 0,
    block: { isOver: true },
  });
});

test.each([-1, 1])(
  'promise 21: a process whose clock is %i h off gets the end of a block by its own clock',
  async (hours) => {
    await sql`update installations set blocked_until = now() + interval '1 minute'`.execute(made.database);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * 3600_000 });
    try {
      const { block } = await takeWriteSlot(made.database, installationId, { patienceMs });
      expect(block).toEqual({ until: aboutAt(new Date(Date.now() + 60_000)), isOver: false });
    } finally {
      vi.useRealTimers();
    }
  },
);

test('each installation has its own bucket, and an unknown installation needs none', async () => {
  await takeMany(writeBurst);
  const other = { installationId: 1002, account: 'other', suspendedAt: null };
  await upsertInstallation(made.database, other);
  const free = { waitMs: 0, isTaken: true };
  expect(await takeWriteSlot(made.database, other.installationId, { patienceMs })).toMatchObject(free);
  for (let count = 0; count < 10; count += 1)
    expect(await takeWriteSlot(made.database, 4711, { patienceMs })).toMatchObject(free);
});
