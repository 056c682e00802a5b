import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createProject } from '../../../harness/create-project.ts';
import { parseAllowedHosts } from '../../../src/config/urls.ts';
import { generateKey } from '../../../src/keys/key-format.ts';
import { revokeKey } from '../../../src/keys/project-keys.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { jobShape, problemShape } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const keys: Record<string, string | undefined> = {};
const ids = { projectId: '', jobId: '', otherProjectId: '', otherJobId: '', webhookId: '', otherWebhookId: '' };
/** Nobody listens there. */
const webhookUrl = 'http://127.0.0.1:9/';
const outbound = createOutbound({
  secretsKey: { kind: 'set', keys: [randomBytes(32)] },
  webhookAllowedHosts: parseAllowedHosts('127.0.0.1') ?? [],
});

const { db, api } = await openApi({ outbound });
const own = await createProject(db.database, { repositoryId: 1 });
const other = await createProject(db.database, { repositoryId: 2, repo: 'other' });
const revoked = await createProject(db.database, { repositoryId: 1 });
const expired = await createProject(db.database, { repositoryId: 1, expiresAt: new Date(0) });
await revokeKey(db.database, revoked.keyId);
keys['the right key'] = own.key;
keys['another project’s key'] = other.key;
keys['a revoked key'] = revoked.key;
keys['an expired key'] = expired.key;
keys['a key that nobody made'] = generateKey();
keys['a key with a bad checksum'] = `${own.key.slice(0, -1)}${own.key.endsWith('0') ? '1' : '0'}`;
keys['no key'] = undefined;
const make = async ({ projectId, key }: { projectId: string; key: string }) =>
  jobShape.parse((await api.call('POST', `/v2/agent/${projectId}/job`, { key, body: { prompt: 'x' } })).body).id;
Object.assign(ids, { projectId: own.projectId, otherProjectId: other.projectId });
Object.assign(ids, { jobId: await make(own), otherJobId: await make(other) });
const addWebhook = async ({ projectId, key }: { projectId: string; key: string }) => {
  const answer = await api.call('POST', `/v2/agent/${projectId}/webhook`, { key, body: { url: webhookUrl } });
  return z.object({ id: z.string() }).parse(answer.body).id;
};
Object.assign(ids, { webhookId: await addWebhook(own), otherWebhookId: await addWebhook(other) });

const routes: [string, string, number][] = [
  ['POST', '/v2/agent/{project}/job', 201],
  ['GET', '/v2/agent/{project}/job', 200],
  ['GET', '/v2/agent/{project}/job/{job}', 200],
  ['HEAD', '/v2/agent/{project}/job/{job}', 200],
  ['POST', '/v2/agent/{project}/job/{job}/message', 200],
  ['POST', '/v2/agent/{project}/job/{job}/cancel', 200],
  ['GET', '/v2/agent/{project}/job/{job}/messages', 200],
  ['GET', '/v2/agent/{project}/job/{job}/runs', 200],
  ['POST', '/v2/agent/{project}/job/{job}/unarchive', 200],
  ['GET', '/v2/agent/{project}/job/{job}/diff', 200],
  ['POST', '/v2/agent/{project}/job/{job}/archive', 200],
  ['POST', '/v2/agent/{project}/webhook', 201],
  ['GET', '/v2/agent/{project}/webhook', 200],
  ['GET', '/v2/agent/{project}/webhook/{webhook}', 200],
  ['GET', '/v2/agent/{project}/webhook/{webhook}/deliveries', 200],
  ['POST', '/v2/agent/{project}/webhook/{webhook}/test', 200],
  ['POST', '/v2/agent/{project}/webhook/{webhook}/rotate', 200],
  ['DELETE', '/v2/agent/{project}/webhook/{webhook}', 204],
];
const ask = (
  [method, path]: [string, string, number],
  {
    key,
    project = ids.projectId,
    job = ids.jobId,
    webhook = ids.webhookId,
  }: { key: string | undefined; project?: string; job?: string; webhook?: string },
) =>
  api.call(method, path.replace('{project}', project).replace('{job}', job).replace('{webhook}', webhook), {
    key,
    ...(method === 'POST' && path.endsWith('/webhook') && { body: { url: webhookUrl } }),
    ...(method === 'POST' && /\/(?:job|message)$/.test(path) && { body: { prompt: 'x' } }),
  });
/** Everything that an answer is but for the request's id and the time. */
const strip = ({ status, text, headers }: Awaited<ReturnType<typeof ask>>) => ({
  status,
  text: text.replace(/urn:uuid:[0-9a-f-]{36}/, 'urn:uuid:…'),
  headers: [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'),
});

describe.each(routes)('%s %s', (...route) => {
  test('promise 12: the right key is accepted', async () => {
    expect((await ask(route, { key: keys['the right key'] })).status).toBe(route[2]);
  });

  test.each(['no key', 'a key with a bad checksum', 'a key that nobody made', 'a revoked key', 'an expired key'])(
    'promise 12: refuses %s, and what is asked for makes no difference',
    async (name) => {
      const key = keys[name];
      const answer = await ask(route, { key });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="pagewright"/);
      const forNothing = await ask(route, { key, project: 'prj_00000000000000000000000000', job: 'job_x' });
      expect(strip(forNothing)).toEqual(strip(answer));
      expect(strip(await ask(route, { key: 'nonsense' })).text).toBe(strip(answer).text);
    },
  );

  test('promise 12: another project’s key and an unknown project get byte-identical answers', async () => {
    const others = await ask(route, { key: keys['another project’s key'] });
    expect(others.status).toBe(404);
    const nowhere = await ask(route, { key: keys['the right key'], project: 'prj_00000000000000000000000000' });
    expect(strip(nowhere)).toEqual(strip(others));
    expect(strip(await ask(route, { key: keys['the right key'], project: '%00' }))).toEqual(strip(others));
  });

  if (route[1].includes('{webhook}')) {
    test('promise 29: another project’s webhook and an unknown one get byte-identical answers', async () => {
      const key = keys['the right key'];
      const others = await ask(route, { key, webhook: ids.otherWebhookId });
      expect(others.status).toBe(404);
      for (const webhook of ['whk_00000000000000000000000000', 'whk_x', '%00', ids.jobId])
        expect(strip(await ask(route, { key, webhook }))).toEqual(strip(others));
    });
  }

  if (!route[1].includes('{job}')) return;
  test('promise 12: another project’s job and an unknown job get byte-identical answers', async () => {
    const key = keys['the right key'];
    const others = await ask(route, { key, job: ids.otherJobId });
    expect(others.status).toBe(404);
    for (const job of ['job_00000000000000000000000000', 'job_x', '%00', 'x'.repeat(3000)]) {
      expect(strip(await ask(route, { key, job }))).toEqual(strip(others));
    }
    const otherProject = await ask(route, { key, project: ids.otherProjectId, job: ids.otherJobId });
    expect(strip(otherProject)).toEqual(strip(others));
  });
});

test('promise 12: a bad body for another project’s job does not reveal the job', async () => {
  const send = (job: string) =>
    api.call('POST', `/v2/agent/${ids.projectId}/job/${job}/message`, { key: keys['the right key'], body: {} });
  expect(strip(await send(ids.otherJobId))).toEqual(strip(await send('job_00000000000000000000000000')));
});

test.each([
  ['Basic', 'Basic dXNlcjpwYXNz'],
  ['no scheme', generateKey()],
  ['two keys', `Bearer ${generateKey()} ${generateKey()}`],
  ['nothing after Bearer', 'Bearer'],
])('an Authorization of %s is refused', async (_name, authorization) => {
  const answer = await api.call('GET', `/v2/agent/${ids.projectId}/job/${ids.jobId}`, { headers: { authorization } });
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="pagewright"');
  problemShape.parse(answer.body);
});

test('promise 26: a revoked key is refused on the next request', async () => {
  const { key, keyId } = await createProject(db.database, { repositoryId: 1 });
  const read = () => api.call('GET', `/v2/agent/${ids.projectId}/job/${ids.jobId}`, { key });
  expect((await read()).status).toBe(200);
  await revokeKey(db.database, keyId);
  expect((await read()).status).toBe(401);
});

test('promise 4: no log line has a key or a prompt', async () => {
  const prompt = 'a prompt that is nobody’s business';
  const key = keys['the right key'] ?? '';
  await api.call('POST', `/v2/agent/${ids.projectId}/job?key=${key}`, { key, body: { prompt } });
  await api.call('POST', `/v2/agent/${ids.projectId}/job`, { key, body: `{"prompt": "${prompt}` });
  const log = api.lines.join('');
  expect(log).toContain(`/v2/agent/${ids.projectId}/job`);
  expect(log).not.toContain(prompt);
  for (const secret of Object.values(keys)) if (secret) expect(log).not.toContain(secret);
});
