import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { jobShape, problemShape, startApi } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

let repositoryId = 0;

const { db, api } = await openApi({ projectLimits: { rateLimit: 3 } });

async function makeProject() {
  repositoryId += 1;
  const { projectId, key } = await createProject(db.database, { repositoryId });
  const path = `/v2/agent/${projectId}/job`;
  const create = (body: object = { prompt: 'x' }) => api.call('POST', path, { key, body });
  const send = (jobId: string) => api.call('POST', `${path}/${jobId}/message`, { key, body: { prompt: 'x' } });
  return { path, key, create, send };
}

test('creates and messages share a limit, and each answer has the remaining quota', async () => {
  const { create, send } = await makeProject();
  const first = await create();
  expect(first.headers.get('ratelimit-policy')).toBe('"project";q=3;w=3600');
  expect(first.headers.get('ratelimit')).toMatch(/^"project";r=2;t=\d{1,4}$/);
  const { id } = jobShape.parse(first.body);
  expect((await send(id)).headers.get('ratelimit')).toMatch(/^"project";r=1;/);
  expect((await create()).headers.get('ratelimit')).toMatch(/^"project";r=0;/);

  for (const refused of [await create(), await send(id)]) {
    expect(refused.status).toBe(429);
    expect(refused.headers.get('ratelimit-policy')).toBe('"project";q=3;w=3600');
    const left = /^"project";r=0;t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '')?.[1];
    expect(refused.headers.get('retry-after')).toBe(left);
    expect(problemShape.parse(refused.body).type).toBe('urn:pagewright:problem:rate-limited');
  }
});

test('exactly three of twelve parallel requests are accepted', async () => {
  const { create } = await makeProject();
  const answers = await Promise.all(Array.from({ length: 12 }, () => create()));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
});

test('reads and refused requests do not count', async () => {
  const { path, key, create, send } = await makeProject();
  const { id } = jobShape.parse((await create()).body);
  await create({ prompt: '' });
  await send('job_00000000000000000000000000');
  await api.call('GET', `${path}/${id}`, { key });
  await api.call('GET', `${path}/${id}/runs`, { key });
  expect((await create()).headers.get('ratelimit')).toMatch(/^"project";r=1;/);
});

test('the quota resets after an hour', async () => {
  const { create } = await makeProject();
  for (let count = 0; count < 4; count += 1) await create();
  await sql`update rate_counters set window_start = window_start - interval '1 hour'`.execute(db.database);
  expect((await create()).headers.get('ratelimit')).toMatch(/^"project";r=2;/);
});

test('without a limit there are no rate limit headers', async () => {
  await using unlimited = await startApi({ store: db.store, projectLimits: { rateLimit: 0 } });
  const { path, key } = await makeProject();
  const answer = await unlimited.call('POST', path, { key, body: { prompt: 'x' } });
  expect([answer.status, answer.headers.has('ratelimit')]).toEqual([201, false]);
});
