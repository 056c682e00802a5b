import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { eventually } from '../../../harness/eventually.ts';
import { takeIdempotencyKey } from '../../../src/store/tables/access/idempotency-keys.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { listMessages } from '../../../src/store/tables/jobs/messages.ts';
import { sweeps } from '../../../src/store/tables/remove-old.ts';
import { lockProjectExclusively, markProjectRemoved } from '../../../src/store/tables/repositories/projects.ts';
import { type Answer, jobShape, problemShape, startApi } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

let repositoryId = 0;
let projectId: string;
let key: string;

const { db, api } = await openApi();

beforeEach(async () => {
  repositoryId += 1;
  ({ projectId, key } = await createProject(db.database, { repositoryId }));
});

const path = () => `/v2/agent/${projectId}/job`;
const post = (where: string, idempotencyKey: string | undefined, body: unknown, on = api) =>
  on.call('POST', where, {
    key,
    body,
    headers: idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey },
  });
const create = (idempotencyKey: string | undefined, body: unknown = { prompt: 'x' }, on = api) =>
  post(path(), idempotencyKey, body, on);
const idOf = (answer: Answer) => jobShape.parse(answer.body).id;
const typeOf = (answer: Answer) => problemShape.parse(answer.body).type.replace('urn:pagewright:problem:', '');
const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed');
const countJobs = async () =>
  (await db.database.selectFrom('jobs').select('job_id').where('project_id', '=', projectId).execute()).length;
const listKeys = () =>
  db.database.selectFrom('idempotency_keys').selectAll().where('project_id', '=', projectId).execute();
const makeOld = (hours: number) =>
  sql`update idempotency_keys set created_at = now() - ${hours} * interval '1 hour'
    where project_id = ${projectId}`.execute(db.database);

describe('promise 23: a repeated request', () => {
  test('gets the answer of the first one, byte for byte', async () => {
    const first = await create('a');
    await updateJob(db.database, idOf(first), { status: 'completed', due_at: null });
    const again = await create('a');
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect([isReplayed(first), isReplayed(again)]).toEqual([null, 'true']);
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await countJobs()).toBe(1);
  });

  test('that is a follow-up adds one message, also after the job was archived and its repository gone', async () => {
    const jobId = idOf(await create(undefined));
    const send = () => post(`${path()}/${jobId}/message`, 'a', { prompt: 'And this' });
    const first = await send();
    await updateJob(db.database, jobId, { status: 'archived', archived_at: new Date(), due_at: null });
    await markProjectRemoved(db.database, projectId);
    const again = await send();
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(isReplayed(again)).toBe('true');
    expect(await listMessages(db.database, jobId)).toHaveLength(2);
  });

  test('may order its fields differently', async () => {
    const first = await create('a', '{"prompt": "x", "draft": true}');
    const again = await create('a', '{"draft":true,"prompt":" x "}');
    expect([again.status, again.text, isReplayed(again)]).toEqual([201, first.text, 'true']);
  });

  test('passes an exhausted rate limit, and counts against nothing', async () => {
    await using limited = await startApi({ store: db.store, projectLimits: { rateLimit: 2 } });
    const first = await create('a', undefined, limited);
    const again = await create('a', undefined, limited);
    expect(again.headers.has('ratelimit')).toBe(false);
    expect((await create('b', undefined, limited)).headers.get('ratelimit')).toMatch(/^"project";r=0;/);
    expect((await create('c', undefined, limited)).status).toBe(429);
    expect((await create('a', undefined, limited)).text).toBe(first.text);
    expect(await countJobs()).toBe(2);
  });

  test('may use another API key of the project; other projects have their own keys', async () => {
    const first = await create('a');
    ({ key } = await createProject(db.database, { repositoryId, name: 'other' }));
    expect((await create('a')).text).toBe(first.text);
    repositoryId += 1;
    ({ projectId, key } = await createProject(db.database, { repositoryId }));
    const elsewhere = await create('a');
    expect([elsewhere.status, isReplayed(elsewhere)]).toEqual([201, null]);
    expect(idOf(elsewhere)).not.toBe(idOf(first));
  });

  test('is a new one after 24 hours, whether the sweep has been there or not', async () => {
    const first = await create('a');
    await makeOld(23.9);
    for (const sweep of sweeps) await sweep.execute(db.database);
    expect((await create('a')).text).toBe(first.text);
    await makeOld(24.1);
    const second = await create('a');
    expect(isReplayed(second)).toBeNull();
    expect((await create('a')).text).toBe(second.text);
    await makeOld(24.1);
    for (const sweep of sweeps) await sweep.execute(db.database);
    expect(await listKeys()).toEqual([]);
    expect(await countJobs()).toBe(2);
  });
});

describe('promise 23: a key', () => {
  test('belongs to one body, one route and one job', async () => {
    const jobId = idOf(await create(undefined));
    const otherId = idOf(await create(undefined));
    const message = (ofJob: string, idempotencyKey: string) =>
      post(`${path()}/${ofJob}/message`, idempotencyKey, { prompt: 'x' });
    expect((await create('a')).status).toBe(201);
    expect((await message(jobId, 'b')).status).toBe(200);
    const refused = [
      await create('a', { prompt: 'y' }),
      await create('a', { prompt: 'x', draft: false }),
      await message(jobId, 'a'),
      await message(otherId, 'b'),
      await create('b'),
    ];
    expect(refused.map((answer) => [answer.status, typeOf(answer)])).toEqual(
      refused.map(() => [422, 'idempotency-key-reused']),
    );
    expect(await countJobs()).toBe(3);
  });

  test.each<[string, string, number]>([
    ['one character', 'a', 201],
    ['255 characters', 'k'.repeat(255), 201],
    ['all that is visible', String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index)), 201],
    ['256 characters', 'k'.repeat(256), 400],
    ['no character', '', 400],
    ['a space', 'a b', 400],
    ['a tab', 'a\tb', 400],
    ['another script', 'clé', 400],
  ])('of %s: %s', async (_name, value, status) => {
    const answer = await create(value);
    expect(answer.status).toBe(status);
    if (status === 400) expect(typeOf(answer)).toBe('invalid-request');
    else expect(await listKeys()).toMatchObject([{ key: value }]);
  });

  test('is taken as it is, quotes included', async () => {
    const plain = await create('a');
    const quoted = await create('"a"');
    expect(idOf(quoted)).not.toBe(idOf(plain));
    expect((await create('"a"')).text).toBe(quoted.text);
  });

  test('may be sent once only', async () => {
    const headers = new Headers([
      ['Idempotency-Key', 'a'],
      ['Idempotency-Key', 'b'],
    ]);
    const answer = await api.call('POST', path(), {
      key,
      body: { prompt: 'x' },
      headers: Object.fromEntries(headers),
    });
    expect(answer.status).toBe(400);
  });

  test('of a refused request is free', async () => {
    await using limited = await startApi({ store: db.store, projectLimits: { rateLimit: 1 } });
    expect((await create('a', { prompt: '' }, limited)).status).toBe(400);
    expect((await post(`${path()}/job_00000000000000000000000000/message`, 'a', { prompt: 'x' })).status).toBe(404);
    expect((await create('b', undefined, limited)).status).toBe(201);
    expect((await create('a', undefined, limited)).status).toBe(429);
    expect((await listKeys()).map((row) => row.key)).toEqual(['b']);
    const accepted = await create('a', { prompt: 'Another' });
    expect([accepted.status, isReplayed(accepted)]).toEqual([201, null]);
  });

  test('promise 2: is kept with its job, or neither is', async () => {
    const sendWakeUp = () => Promise.reject(new Error('the queue is broken'));
    await using broken = await startApi({ store: { ...db.store, queue: { ...db.store.queue, sendWakeUp } } });
    expect((await create('a', undefined, broken)).status).toBe(500);
    expect([await countJobs(), await listKeys()]).toEqual([0, []]);
    expect(isReplayed(await create('a'))).toBeNull();
  });
});

describe('promise 23: while the first request is in progress', () => {
  test('others wait for its answer', async () => {
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const sendWakeUp = () => {
      reached.resolve();
      return gate.promise;
    };
    await using held = await startApi({ store: { ...db.store, queue: { ...db.store.queue, sendWakeUp } } });
    const first = create('a', undefined, held);
    await reached.promise;
    const others = Promise.all(Array.from({ length: 5 }, () => create('a')));
    gate.resolve();
    const { text } = await first;
    const repeated = { status: 201, text, replayed: 'true' };
    const answers = (await others).map((answer) => ({ ...answer, replayed: isReplayed(answer) }));
    expect(answers).toMatchObject(Array.from(answers, () => repeated));
    expect(await countJobs()).toBe(1);
  });

  test('fifty others leave the database to other requests, and make one job when it fails', async () => {
    const release = await holdKey('a');
    const others = Promise.all(Array.from({ length: 50 }, () => create('a')));
    expect((await create(undefined)).status).toBe(201);
    expect((await create('b')).status).toBe(201);
    await release();
    const answers = await others;
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter((answer) => isReplayed(answer) === null)).toHaveLength(1);
    expect(await countJobs()).toBe(3);
  });

  test('fifty at once make one job', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => create('a')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter((answer) => isReplayed(answer) === null)).toHaveLength(1);
    expect(await countJobs()).toBe(1);
  });

  test.for([
    ['accepted itself', 2],
    ['refused because of it', 1],
  ] as const)('one that finds late that another was accepted gets that answer: %s', async ([, rateLimit]) => {
    await using limited = await startApi({ store: db.store, projectLimits: { rateLimit } });
    const first = await create('a', undefined, limited);
    const [kept] = await listKeys();
    if (!kept) throw new Error('no key is kept');
    await db.database.deleteFrom('idempotency_keys').where('project_id', '=', projectId).execute();
    const { waiting } = await db.database.transaction().execute(async (tx) => {
      await lockProjectExclusively(tx, projectId);
      const again = create('a', undefined, limited);
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db.database);
        return rows[0];
      });
      await db.database
        .insertInto('idempotency_keys')
        .values({ ...kept, answer: JSON.stringify(kept.answer) })
        .execute();
      return { waiting: again };
    });
    const answer = await waiting;
    expect([answer.status, answer.text, isReplayed(answer)]).toEqual([201, first.text, 'true']);
    expect(await countJobs()).toBe(1);
  });

  test('others give up in the end', async () => {
    const keyWaits = { waitMs: 300, firstRetryMs: 20, longestRetryMs: 80 };
    await using impatient = await startApi({ store: db.store, keyWaits });
    const release = await holdKey('a');
    const startedAt = performance.now();
    const refused = await create('a', undefined, impatient);
    expect([refused.status, typeOf(refused)]).toEqual([409, 'idempotency-key-in-use']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(performance.now() - startedAt).toBeGreaterThan(200);
    await release();
    expect((await create('a', undefined, impatient)).status).toBe(201);
  });

  /** Takes the key as a request does that fails in the end. */
  async function holdKey(name: string): Promise<() => Promise<void>> {
    const taken = Promise.withResolvers<void>();
    let isOver = false;
    const holding = db.database.transaction().execute(async (tx) => {
      await takeIdempotencyKey(tx, { projectId, key: name });
      taken.resolve();
      // An idle transaction would be ended.
      while (!isOver) await sql`select pg_sleep(0.02)`.execute(tx);
    });
    await taken.promise;
    return () => {
      isOver = true;
      return holding;
    };
  }
});
