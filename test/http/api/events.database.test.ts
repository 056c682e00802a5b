import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { openStream } from '../../../harness/open-stream.ts';
import { createSilentLog } from '../../../src/log.ts';
import { receiveNotifications } from '../../../src/store/postgres/notifications.ts';
import { revokeApiKey } from '../../../src/store/tables/access/api-keys.ts';
import { recordEvents } from '../../../src/store/tables/jobs/events.ts';
import { realTiming } from '../../../src/timing.ts';
import { createTestDatabase } from '../../support/databases/database.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { problemShape, startApi } from '../../support/doors/api.ts';

const timing = { ...realTiming.events, lookEveryMs: 60_000, slowReaderMs: 200 };

const db = await createTestDatabase();
const log = createSilentLog();
const notifications = receiveNotifications({ connection: db.connection, log });
const api = await startApi({ store: db.store, notifications, timing });
const { projectId, key } = await createProject(db.database, { name: 'ci' });

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await notifications[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const accept = async () => (await acceptJob(db.store, projectId)).job_id;
const record = (jobId: string, texts: string[]) =>
  db.database.transaction().execute((tx) =>
    recordEvents(
      tx,
      jobId,
      texts.map((reason) => ({ type: 'job.archived', data: { reason } })),
    ),
  );
const path = (jobId: string, query = '') => `/v2/agent/${projectId}/job/${jobId}/events${query}`;
const open = (jobId: string, query = '', headers = {}) =>
  openStream(`${api.url}${path(jobId, query)}`, { key, headers });
const read = (jobId: string, query = '', headers = {}) => api.call('GET', path(jobId, query), { key, headers });
const seqs = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq);

test('promise 33: a stream sends what happened before, then each event as it is committed', async () => {
  const jobId = await accept();
  using stream = await open(jobId);
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await stream.until(({ length }) => length === 2);
  await record(jobId, ['one', 'two']);
  await stream.until(({ length }) => length === 4);
  expect(stream.events.map(({ type }) => type)).toEqual([
    ...['job.created', 'message.accepted', 'job.archived', 'job.archived'],
  ]);
  expect(stream.events[3]).toMatchObject({ seq: 4, data: { reason: 'two' } });
  expect(await read(jobId)).toMatchObject({ status: 200, body: { events: stream.events, next: 4 } });
});

test('promise 33: a cut connection resumes after the last event it got', async () => {
  const jobId = await accept();
  await record(jobId, ['one', 'two', 'three']);
  using stream = await open(jobId, '?after=1', { 'last-event-id': '3' });
  await stream.until(({ length }) => length === 2);
  expect(seqs(stream.events)).toEqual([4, 5]);
  expect(await read(jobId, '?after=3&limit=1')).toMatchObject({ body: { events: [{ seq: 4 }], next: 4 } });
  expect(await read(jobId, '?after=5')).toMatchObject({ body: { events: [], next: 5 } });
});

test('promise 33: many readers of many jobs get every event once and in order', async () => {
  const jobIds = await Promise.all([accept(), accept(), accept()]);
  const streams = await Promise.all(Array.from({ length: 15 }, (_item, index) => open(jobIds[index % 3] ?? '')));
  const batches = Array.from({ length: 40 }, (_item, index) => Array.from({ length: 1 + (index % 9) }, () => 'again'));
  await Promise.all(jobIds.flatMap((jobId) => batches.map((batch) => record(jobId, batch))));
  const expected = Array.from({ length: 2 + batches.flat().length }, (_item, index) => index + 1);
  for (const stream of streams) {
    await stream.until(({ length }) => length >= expected.length);
    expect(seqs(stream.events)).toEqual(expected);
    stream.close();
  }
});

test('promise 33: a lost notification only delays', async () => {
  await using deaf = await startApi({ store: db.store, timing: { ...timing, lookEveryMs: 50 } });
  const jobId = await accept();
  using stream = await openStream(`${deaf.url}${path(jobId)}`, { key });
  await stream.until(({ length }) => length === 2);
  await record(jobId, ['one']);
  await stream.until(({ length }) => length === 3);
});

test('promise 16: a stop ends the streams of a service, and nothing is cut', async () => {
  const stopping = await startApi({ store: db.store, timing });
  const jobId = await accept();
  using stream = await openStream(`${stopping.url}${path(jobId)}`, { key });
  await stream.until(({ length }) => length === 2);
  await stopping[Symbol.asyncDispose]();
  await stream.ended;
});

test('promise 26: a stream ends after its key is revoked, and sends comments until then', async () => {
  const other = await createProject(db.database, { name: 'other', repositoryId: 77 });
  const { job_id: jobId } = await acceptJob(db.store, other.projectId);
  await using eager = await startApi({ store: db.store, notifications, timing: { ...timing, heartbeatEveryMs: 50 } });
  const url = `${eager.url}/v2/agent/${other.projectId}/job/${jobId}/events`;
  using stream = await openStream(url, { key: other.key });
  await stream.until(() => stream.countComments() > 1, 'heartbeats');
  const [apiKey] = await db.database
    .selectFrom('api_keys')
    .selectAll()
    .where('project_id', '=', other.projectId)
    .execute();
  await revokeApiKey(db.database, apiKey?.key_id ?? '');
  await stream.ended;
  expect(seqs(stream.events)).toEqual([1, 2]);
});

test('promise 12: the events of another project do not exist', async () => {
  const other = await createProject(db.database, { name: 'third', repositoryId: 78 });
  const { job_id: jobId } = await acceptJob(db.store, other.projectId);
  expect(await read(jobId)).toMatchObject({ status: 404 });
  await expect(open(jobId)).rejects.toThrow('404');
});

test.each(['?after=-1', '?after=x', '?after=1.5', '?after=99999999999', '?limit=0', '?limit=501', '?after='])(
  'promise 24: %s is refused with what is allowed',
  async (query) => {
    const answer = await read(await accept(), query);
    expect(answer.status).toBe(400);
    expect(problemShape.parse(answer.body).detail).toMatch(/must be a whole number from \d+ to \d+/);
  },
);

test('promise 33: removed events are gone, with the first that is left', async () => {
  const jobId = await accept();
  await record(jobId, ['one']);
  await db.database.deleteFrom('events').where('job_id', '=', jobId).where('seq', '<', 3).execute();
  expect(await read(jobId)).toMatchObject({ status: 410, body: { firstSeq: 3 } });
  await expect(open(jobId, '?after=1')).rejects.toThrow('410');
  expect(await read(jobId, '?after=2')).toMatchObject({ status: 200, body: { next: 3 } });
});

test('promise 33: after a restored backup, a caller who knows later events is told where the story begins', async () => {
  const jobId = await accept();
  await record(jobId, ['one']);
  const { next } = z.object({ next: z.number() }).parse((await read(jobId)).body);
  expect(await read(jobId, `?after=${next}`)).toMatchObject({ status: 200, body: { events: [], next } });
  expect(await read(jobId, `?after=${next + 1}`)).toMatchObject({ status: 410, body: { firstSeq: 1 } });
  await expect(open(jobId, `?after=${next + 1}`)).rejects.toThrow('410');
});

test('a key has at most 100 streams', async () => {
  const jobId = await accept();
  const streams = await Promise.all(Array.from({ length: 100 }, () => open(jobId)));
  await expect(open(jobId)).rejects.toThrow('too-many-streams');
  for (const stream of streams.splice(0, 2)) stream.close();
  await expect.poll(async () => (await open(jobId).catch(() => undefined)) !== undefined).toBe(true);
  for (const stream of streams) stream.close();
});

test('a reader that reads nothing loses its connection, and others do not wait for it', async () => {
  const jobId = await accept();
  const silent = connect(Number(new URL(api.url).port), '127.0.0.1').pause();
  const headers = ['Host: localhost', `Authorization: Bearer ${key}`, 'Accept: text/event-stream'];
  silent.write([`GET ${path(jobId)} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  using stream = await open(jobId);
  // More than the buffers of the kernel hold.
  const texts = Array.from({ length: 50 }, () => 'x'.repeat(4_000));
  for (let round = 0; round < 50; round += 1) await record(jobId, texts);
  await stream.until(({ length }) => length === 2_502);
  await delay(2 * timing.slowReaderMs);
  let received = '';
  silent.setEncoding('utf8').on('data', (text) => {
    received += text;
  });
  await once(silent.resume(), 'close');
  expect(received).toContain('id: 1\n');
  expect(received).not.toContain('id: 2502\n');
});
