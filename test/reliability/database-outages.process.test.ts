import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { hold } from '../../harness/script-steps.ts';
import { startInWorld } from '../../harness/start-service.ts';
import { isJobLeased } from '../../src/store/tables/jobs/jobs.ts';
import { realTiming } from '../../src/timing.ts';
import { startDatabaseProxy } from '../../trials/faults/processes/database-proxy.ts';
import { acceptJob } from '../support/databases/jobs.ts';
import { problemShape } from '../support/doors/api.ts';
import type { World } from '../support/worlds/world.ts';
import { expireLease, lockTable, settled } from './crash-points.ts';
import { followInstruction } from './instructed-model.ts';
import { createOutageWorld, timed } from './outage-world.ts';

let made: Awaited<ReturnType<typeof createOutageWorld>>;
beforeAll(async () => {
  made = await createOutageWorld();
});
afterAll(() => made[Symbol.asyncDispose]());

/** Whoever asks is answered within two seconds; the rest is what a busy machine may add. */
const answeredWithinMs = 2_500;

/** The ways in which a database can be away: how each begins and ends. */
const outages: [name: string, begin: () => unknown, end: () => Promise<unknown>][] = [
  ['stopped', () => made.world.database.setReachable(false), () => made.world.database.setReachable(true)],
  ['refused', () => made.proxy.cut(), () => made.proxy.pass()],
  ['half-open', () => made.proxy.halfOpen(), () => made.proxy.pass()],
  ['three seconds away', () => made.proxy.delay(3_000), () => made.proxy.pass()],
];

describe.each(outages)('while the database is %s', (_name, begin, end) => {
  test('promise 17: every request gets 503 in time and has no effect; afterwards work continues', async () => {
    const { world, service, oldJobId, ask, deliver, countRows } = made;
    const thinking = hold(nothingToChange);
    world.model.setScript((request) =>
      isAbout(request, 'Meanwhile') ? thinking.step(request) : followInstruction(request),
    );
    const before = await countRows();
    const { id: liveJobId } = await service.caller.create('Meanwhile');
    await thinking.asked;

    await begin();
    const deliveryId = randomUUID();
    const asked = [
      ask('POST', '', { prompt: 'Lost' }),
      ask('POST', `/${oldJobId}/message`, { prompt: 'Lost' }),
      ask('POST', `/${oldJobId}/cancel`),
      ask('POST', `/${oldJobId}/archive`),
      ask('GET', `/${oldJobId}`),
      ask('GET', `/${oldJobId}/runs`),
    ];
    const [delivered, ready, alive, ...answers] = await Promise.all([
      deliver(deliveryId),
      timed(`${service.url}/readyz`),
      timed(`${service.url}/livez`),
      ...asked,
    ]);
    for (const { status, headers, text, elapsedMs } of [ready, ...answers]) {
      expect(status, text).toBe(503);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      problemShape.parse(JSON.parse(text));
      expect(elapsedMs).toBeLessThan(answeredWithinMs);
    }
    expect(delivered.status).toBe(503);
    expect(delivered.elapsedMs).toBeLessThan(8_000);
    expect(JSON.parse(ready.text)).toMatchObject({ checks: { database: false } });
    expect(alive.status).toBe(200);
    thinking.release();

    await end();
    expect(await service.caller.settled(liveJobId)).toMatchObject({ status: 'completed' });
    expect((await timed(`${service.url}/readyz`)).status).toBe(200);
    expect((await deliver(deliveryId)).status).toBe(202);
    expect((await deliver(deliveryId)).status).toBe(202);
    const { id } = await service.caller.create('Afterwards');
    expect(await service.caller.settled(id)).toMatchObject({ status: 'completed' });
    expect(await countRows()).toEqual({
      jobs: before.jobs + 2,
      messages: before.messages + 2,
      deliveries: before.deliveries + 1,
    });
    expect(await service.caller.get(oldJobId)).toMatchObject({ status: 'completed' });
  });
});

test('promise 2: a request that times out during its transaction has no effect', async () => {
  const { world, service, ask, countRows } = made;
  const before = await countRows();
  const { release } = await lockTable(world.database.database, 'messages');
  // More than the pool has connections: those that get none are answered as well.
  const answers = await Promise.all(Array.from({ length: 14 }, () => ask('POST', '', { prompt: 'Given up' })));
  for (const { status, elapsedMs } of answers) {
    expect(status).toBe(503);
    expect(elapsedMs).toBeLessThan(answeredWithinMs);
  }
  release();
  const { id } = await service.caller.create('Afterwards');
  await service.caller.settled(id);
  expect((await countRows()).jobs).toBe(before.jobs + 1);
});

test('promise 2: a request whose connection breaks during its transaction gets 503 and has no effect', async () => {
  const { world, proxy, service, ask, countRows, countBlocked } = made;
  const before = await countRows();
  const { release } = await lockTable(world.database.database, 'messages');
  const answer = ask('POST', '', { prompt: 'Cut off' });
  await eventually(async () => (await countBlocked()) > 0 || undefined);
  await proxy.cut();
  expect(await answer).toMatchObject({ status: 503 });
  expect((await answer).elapsedMs).toBeLessThan(answeredWithinMs);
  release();
  await proxy.pass();
  await eventually(async () => (await timed(`${service.url}/readyz`)).status === 200 || undefined);
  expect(await countRows()).toEqual(before);
});

test('promise 17: repeated database outages do not count as crashes', async () => {
  // On a busy machine a holder may renew its lease only after the real five seconds.
  const timing = { ...realTiming, claims: { ...realTiming.claims, afterOutageMs: 30_000 } };
  await using own = await createOutageWorld(timing);
  const { world, proxy, service } = own;
  // A server that has just started is an outage by itself.
  await eventually(() => isUpFor(world, timing.claims.afterOutageMs));
  const thinking = hold(nothingToChange);
  world.model.setScript((request) => (isAbout(request, 'Outlives') ? thinking.step(request) : nothingToChange));
  await using otherProxy = await startDatabaseProxy({ target: world.database.connection });
  await using other = await startInWorld(world, { DATABASE_URL: otherProxy.databaseUrl }, timing);
  const { id } = await service.caller.create('Outlives outages');
  await thinking.asked;
  const holder = await findOwner(world, id);
  const isItsStart = (line: string) => line.includes('"msg":"a run starts"') && line.includes(id);
  const [holding, looking] = service.lines.some(isItsStart) ? [service, other] : [other, service];
  const [holdersProxy, lookersProxy] = holding === service ? [proxy, otherProxy] : [otherProxy, proxy];
  for (const outage of ['first', 'second', 'third']) {
    const seen = looking.lines.length;
    await Promise.all([proxy.cut(), otherProxy.cut()]);
    await eventually(() => looking.lines.slice(seen).some((line) => line.includes(failedLook)) || undefined);
    // As if it had lasted longer than a lease.
    await expireLease(world.database.database, id);
    const { job_id: next } = await acceptJob(world.database.store, world.projectId, `After the ${outage} outage`);
    // It is the other one that looks first, and finds what is due since.
    await lookersProxy.pass();
    await eventually(async () => ((await findOwner(world, next)) !== null ? true : undefined));
    await holdersProxy.pass();
    await eventually(async () => (await isJobLeased(world.database.database, id)) || undefined);
    await settled(world, next);
  }
  expect(await findOwner(world, id)).toBe(holder);
  thinking.release();
  expect(await service.caller.settled(id)).toMatchObject({ status: 'completed' });
});

test('promise 16: a process with a live run stops within 30 s while the database is unreachable', async () => {
  const { world, proxy, service } = made;
  const thinking = hold(nothingToChange);
  world.model.setScript((request) => (isAbout(request, 'Stopped') ? thinking.step(request) : nothingToChange));
  const stopping = await startInWorld(world, { DATABASE_URL: proxy.databaseUrl }, realTiming);
  const isStart = (line: string) => line.includes('"msg":"a run starts"');
  const countStarts = () => [...stopping.lines, ...service.lines].filter(isStart).length;
  // Either may take one.
  while (!stopping.lines.some(isStart)) {
    const before = countStarts();
    await service.caller.create('Stopped meanwhile');
    await eventually(() => countStarts() > before || undefined);
  }
  proxy.halfOpen();
  const startedAt = performance.now();
  await stopping[Symbol.asyncDispose]();
  const elapsedMs = performance.now() - startedAt;
  await proxy.pass();
  thinking.release();
  expect(elapsedMs).toBeLessThan(29_000);
});

const failedLook = 'could not claim due jobs';

async function isUpFor({ database: { database } }: World, durationMs: number): Promise<true | undefined> {
  const { rows } = await sql`
    select from pg_settings where now() - pg_postmaster_start_time() > ${durationMs} * interval '1 ms' limit 1`.execute(
    database,
  );
  return rows.length > 0 || undefined;
}

/** Who has claimed a job, if somebody has. */
async function findOwner({ database: { database } }: World, jobId: string): Promise<string | null> {
  const query = database.selectFrom('jobs').select(['lease_owner', 'status']).where('job_id', '=', jobId);
  const { lease_owner: owner, status } = await query.executeTakeFirstOrThrow();
  return status === 'active' ? owner : 'it is done';
}

const nothingToChange = { text: 'Nothing needs to change.' };

const isAbout = ({ messages }: { messages: readonly { text: string }[] }, word: string) =>
  messages.some(({ text }) => text.includes(word));
