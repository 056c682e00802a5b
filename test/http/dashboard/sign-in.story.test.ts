import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createVisitor } from '../../../harness/visitor.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';
import { ask } from '../setup/browser.ts';

const served = await openServedWorld();
served.world.github.addUser('mallory');
afterAll(() => served[Symbol.asyncDispose]());

const visit = (headers: Record<string, string> = {}) =>
  createVisitor({ url: served.service.url, github: served.world.github, headers });
const jobs = () => `/projects/${served.world.projectId}`;
const database = () => served.world.database.database;

test('a person signs in, sees the repositories they write to, and signs out', async () => {
  const rita = visit();
  expect((await rita.get('/')).text).toContain('Sign in with GitHub');
  const asked = await rita.get(jobs());
  expect(asked.status).toBe(401);
  expect((await rita.signIn('rita', jobs())).location).toBe(jobs());
  expect((await rita.get('/')).location).toBe('/projects');
  const { text, headers } = await rita.get('/projects');
  expect(text).toContain('>acme/docs</a>');
  expect(headers.get('cache-control')).toBe('no-store');

  const stolen = [...rita.cookies];
  expect((await rita.post('/auth/sign-out')).location).toBe('/');
  for (const [name, value] of stolen) rita.cookies.set(name, value);
  expect((await rita.get('/projects')).status).toBe(401);
});

test('nothing of the person is kept but who they are', async () => {
  const rita = visit();
  await rita.signIn('rita');
  expect(
    served.world.github.requests.filter(({ route }) => route.startsWith('DELETE /applications')).at(-1),
  ).toMatchObject({ status: 204 });
  const { rows } = await sql<{ row: string }>`select row_to_json(sessions)::text as row from sessions`.execute(
    database(),
  );
  const stored = rows.map(({ row }) => row).join('\n');
  expect(stored).toContain('"login":"rita"');
  for (const secret of [...rita.cookies.values(), 'ghu_']) {
    expect(stored).not.toContain(secret);
    expect(served.service.lines.join('\n')).not.toContain(secret);
  }
});

describe('a sign-in is refused', () => {
  test('when the proxy changes the host, with what the operator must do', async () => {
    const sent = { host: 'pagewright.example.com' };
    const first = await ask(`${served.service.url}/auth/sign-in`, { headers: sent });
    const again = String(first.headers.location);
    expect([first.status, again]).toEqual([303, expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/auth\/sign-in\?/)]);
    const { status, body } = await ask(again, { headers: sent });
    expect([status, body]).toEqual([
      421,
      expect.stringContaining('names the host <code>pagewright.example.com</code>'),
    ]);
  });

  test('when it was begun in another browser', async () => {
    const mallory = visit();
    const back = await mallory.askGitHub('mallory');
    const rita = visit();
    await rita.get('/auth/sign-in');
    const page = await rita.get(back);
    expect(page.status).toBe(400);
    expect(page.text).toContain('Sign in with GitHub');
    expect((await rita.get('/projects')).status).toBe(401);
  });

  test('when its answer comes twice', async () => {
    const rita = visit();
    const back = await rita.askGitHub('rita');
    const pending = [...rita.cookies];
    expect((await rita.get(back)).status).toBe(303);
    expect((await rita.get(back)).status).toBe(400);
    for (const [name, value] of pending) rita.cookies.set(name, value);
    expect((await rita.get(back)).status).toBe(400);
  });

  test('when the person cancels', async () => {
    const rita = visit();
    const page = await rita.get(await rita.askGitHub('rita', 'deny'));
    expect(page.status).toBe(403);
    expect(page.text).toContain('You cancelled on GitHub.');
  });

  test('while GitHub fails', async () => {
    const rita = visit();
    const back = await rita.askGitHub('rita');
    const fault = served.world.github.inject({ method: 'GET', path: /^\/user$/, kind: 'before', times: 10 });
    const page = await rita.get(back);
    fault.remove();
    expect(page.status).toBe(502);
    expect(page.text).toContain('Sign in with GitHub');
  });

  test('after too many attempts, from their address only', async () => {
    const mallory = visit({ 'x-forwarded-for': '198.51.100.7, 203.0.113.9' });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 40; attempt += 1)
      statuses.push((await mallory.get('/auth/callback?code=x&state=y')).status);
    expect(statuses[0]).toBe(400);
    expect(statuses.at(-1)).toBe(429);
    expect((await visit({ 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }).signIn('rita')).status).toBe(303);
  });
});

test('two tabs sign in at once, and neither spoils the other', async () => {
  const rita = visit();
  const [first, second] = await Promise.all([rita.askGitHub('rita'), rita.askGitHub('rita', 'authorize', jobs())]);
  expect((await rita.get(second)).location).toBe(jobs());
  expect((await rita.get(first)).location).toBe('/projects');
});

test('a browser keeps a few sign-ins, the newest', async () => {
  const rita = visit();
  const backs: string[] = [];
  for (let tab = 0; tab < 6; tab += 1) backs.push(await rita.askGitHub('rita'));
  expect(rita.cookies.size).toBe(5);
  expect((await rita.get(backs[0] ?? '')).status).toBe(400);
  expect((await rita.get(backs[1] ?? '')).status).toBe(303);
});

describe('a session ends', () => {
  test.each([
    ['after 8 hours without use', sql`update sessions set used_at = now() - interval '8 hours 1 minute'`],
    ['after 7 days', sql`update sessions set created_at = now() - interval '7 days 1 minute'`],
  ])('%s', async (_when, age) => {
    const rita = visit();
    await rita.signIn('rita');
    expect((await rita.get('/projects')).status).toBe(200);
    await age.execute(database());
    expect((await rita.get('/projects')).status).toBe(401);
  });
});

test('a session that somebody else put into the browser does not become the person’s', async () => {
  const mallory = visit();
  await mallory.signIn('mallory');
  const rita = visit();
  for (const [name, value] of mallory.cookies) rita.cookies.set(name, value);
  await rita.signIn('rita');
  expect([...rita.cookies.values()]).not.toEqual([...mallory.cookies.values()]);
  expect((await mallory.get('/projects')).status).toBe(401);
});

test.each([
  'https://evil.example/projects',
  '//evil.example/projects',
  '/projects/../../setup',
  '/projects\\@evil.example',
])('a sign-in leads to pages of the dashboard only, not to %s', async (target) => {
  const { location } = await visit().signIn('rita', target);
  expect(location).toMatch(/^\/projects/);
});

test('a form of another site changes nothing', async () => {
  const rita = visit();
  await rita.signIn('rita');
  const headers: Record<string, string>[] = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const sent of headers) expect((await rita.post('/auth/sign-out', {}, sent)).status).toBe(403);
  expect((await rita.get('/projects')).status).toBe(200);
});

test.each([
  ['PUT', undefined],
  ['PROPFIND', undefined],
  ['POST', '{}'],
])('promise 24: %s of a program, with the body %s, gets 405 as problem+json', async (method, body) => {
  for (const path of ['/', '/projects', '/auth/sign-out']) {
    const answer = await fetch(`${served.service.url}${path}`, { method, ...(body && { body }) });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('allow')]).toEqual([
      405,
      'application/problem+json; charset=utf-8',
      'GET, HEAD, POST',
    ]);
  }
});
