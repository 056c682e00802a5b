import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGitHubLimits } from '../../src/projects/github-limits.ts';
import { writeBurst } from '../../src/store/schedule/take-write-slot.ts';
import { findBlock, upsertInstallation } from '../../src/store/tables/repositories/installations.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { aboutAt } from '../support/values/about-at.ts';

const installationId = 1001;
const { signal } = new AbortController();

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made[Symbol.asyncDispose]());
beforeEach(async () => {
  await made.database.deleteFrom('installations').execute();
  await upsertInstallation(made.database, { installationId, account: 'acme', suspendedAt: null });
});

/** Each process has one. */
const open = () => createGitHubLimits({ database: made.database });
const read = { installationId, isWrite: false, patienceMs: 30_000, signal };
const write = { ...read, isWrite: true };
const limit = (seconds: number) => {
  const until = new Date(Date.now() + seconds * 1000);
  return [installationId, { kind: 'secondary', until, isStated: true }] as const;
};
const useUp = async (more = 0) => {
  const ms = (writeBurst + more) * 1000;
  await sql`update installations set writes_until = clock_timestamp() + ${ms} * interval '1 millisecond'`.execute(
    made.database,
  );
};

test('promise 21: after one process meets a rate limit, reads and writes of every process wait', async () => {
  const [one, other] = [open(), open()];
  const until = aboutAt(await one.onLimited(...limit(60)));
  for (const request of [read, write])
    await expect(other.admit(request)).rejects.toMatchObject({ name: 'Parked', until });
  await sql`update installations set blocked_until = now()`.execute(made.database);
  for (const request of [read, write]) expect(await other.admit(request)).toEqual({ waitedMs: 0, wasLimited: true });
  await other.onRecovered(installationId);
  expect(await one.admit(read)).toEqual({ waitedMs: 0, wasLimited: false });
});

test('promise 21: a write that waited for its slot is parked if another write was refused meanwhile', async () => {
  await useUp();
  const waiting = open().admit(write);
  const until = aboutAt(await open().onLimited(...limit(60)));
  await expect(waiting).rejects.toMatchObject({ until });
});

test('promise 21: the few writes of a run do not wait', async () => {
  const { admit } = open();
  for (let count = 0; count < writeBurst; count += 1)
    expect(await admit(write)).toEqual({ waitedMs: 0, wasLimited: false });
});

test('a write reports how long it waited for its slot', async () => {
  await useUp(-0.8);
  const { waitedMs } = await open().admit(write);
  expect(waitedMs).toBeGreaterThan(0);
  expect(waitedMs).toBeLessThanOrEqual(200);
});

test('promise 21: a write whose slot is too far away is parked until then', async () => {
  await useUp(60);
  const parked = await open()
    .admit(write)
    .catch((error: unknown) => error);
  expect(parked).toMatchObject({ name: 'Parked', until: expect.any(Date) });
  const waitMs = parked instanceof Error && 'until' in parked ? Number(parked.until) - Date.now() : Number.NaN;
  expect(waitMs).toBeGreaterThan(59_000);
  expect(waitMs).toBeLessThanOrEqual(61_000);
  expect(await open().admit(read)).toEqual({ waitedMs: 0, wasLimited: false });
});

test('an abort ends the wait for a slot', async () => {
  await useUp(20);
  const reason = new Error('the lease is lost');
  const stopping = new AbortController();
  const waiting = open().admit({ ...write, signal: stopping.signal });
  stopping.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test('a block without a time from GitHub ends at the same time for every process', async () => {
  const [, stated] = limit(60);
  const unstated = { ...stated, isStated: false };
  const ends = await Promise.all([open(), open()].map(({ onLimited }) => onLimited(installationId, unstated)));
  const block = await findBlock(made.database, installationId);
  expect(ends).toEqual([aboutAt(block?.until), aboutAt(block?.until)]);
});
