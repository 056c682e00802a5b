import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { createAccessPool } from '../../../src/github/auth/access-pool.ts';
import { mintAccess } from '../../../src/github/auth/open-access.ts';
import { createRedactor } from '../../../src/text/redact.ts';
import { createApp } from '../create-app.ts';

const { signal } = new AbortController();
const location = { installationId: 9, repositoryId: 42, owner: 'acme', repo: 'docs' };
const writing = { pull_requests: 'write' } as const;

const json = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** A pool with a GitHub that mints `ghs_1`, `ghs_2` and so on, and answers other requests with `answer`. */
function openPool({
  answer = () => json(200, {}),
  mint = (): Response | undefined => undefined,
  ...times
}: {
  answer?: () => Response;
  /** Instead of a token. */
  mint?: () => Response | undefined;
  idleMs?: number;
  maxAgeMs?: number;
} = {}) {
  let minted = 0;
  const revoked: string[] = [];
  const github = createApp({
    async fetch(input, init) {
      const url = String(input);
      if (url.endsWith('/access_tokens')) {
        const refusal = mint();
        if (refusal) return refusal;
        minted += 1;
        const token = `ghs_${minted}`;
        return json(201, { token, expires_at: new Date(Date.now() + 3600_000), permissions: writing });
      }
      if (url.endsWith('/installation/token')) {
        revoked.push(String(new Headers(init?.headers).get('authorization')).replace(/^.* /, ''));
        return new Response(null, { status: 204 });
      }
      return answer();
    },
  });
  const pool = createAccessPool({ github, secrets: createRedactor([]), ...times });
  const open = (more: object = {}) => pool.open({ location, permissions: writing, signal, ...more });
  return {
    pool,
    open,
    countMinted: () => minted,
    revoked,
    /** Opens and closes an access, and returns its token. */
    async use(more: object = {}) {
      await using access = await open(more);
      return access.token;
    },
  };
}

test('sequential and concurrent uses share one token', async () => {
  const { pool, open, use, countMinted, revoked } = openPool();
  await using _pool = pool;
  expect(await use()).toBe('ghs_1');
  const opened = await Promise.all(Array.from({ length: 30 }, () => open()));
  expect(new Set(opened.map(({ token }) => token))).toEqual(new Set(['ghs_1']));
  for (const access of opened) await access[Symbol.asyncDispose]();
  expect(await use()).toBe('ghs_1');
  expect(countMinted()).toBe(1);
  expect(revoked).toEqual([]);
});

test('concurrent first uses share one token', async () => {
  const { pool, use, countMinted } = openPool();
  await using _pool = pool;
  await Promise.all(Array.from({ length: 30 }, () => use()));
  expect(countMinted()).toBe(1);
});

test.each<[string, object]>([
  ['another repository', { location: { ...location, repositoryId: 43 } }],
  ['another installation', { location: { ...location, installationId: 10 } }],
  ['other permissions', { permissions: { contents: 'read' } }],
])('promise 18: a use for %s gets a separate token', async (_name, other) => {
  const { pool, use } = openPool();
  await using _pool = pool;
  expect(await use()).toBe('ghs_1');
  expect(await use(other)).toBe('ghs_2');
});

test('an idle token is revoked, a token in use is not', async () => {
  const { pool, open, use, revoked } = openPool({ idleMs: 1 });
  await using _pool = pool;
  expect(await use()).toBe('ghs_1');
  const access = await open();
  expect(access.token).toBe('ghs_1');
  expect(await use({ permissions: { contents: 'read', issues: 'write' } })).toBe('ghs_2');
  await eventually(() => revoked.length || undefined);
  expect(revoked).toEqual(['ghs_2']);
  expect(await use()).toBe('ghs_1');
  await access[Symbol.asyncDispose]();
  await eventually(() => revoked.length > 1 || undefined);
  expect(revoked).toEqual(['ghs_2', 'ghs_1']);
  expect(await use()).toBe('ghs_3');
});

test('an old token is not reused, and is revoked after its last use', async () => {
  const { pool, open, use, revoked } = openPool({ maxAgeMs: 0 });
  await using _pool = pool;
  const access = await open();
  expect(access.token).toBe('ghs_1');
  expect(await use()).toBe('ghs_2');
  expect(revoked).toEqual([]);
  await access[Symbol.asyncDispose]();
  await eventually(() => revoked.length || undefined);
  expect(revoked).toEqual(['ghs_1']);
});

test('the end of the pool revokes every token once: idle, used and replaced', async () => {
  const { pool, open, use, revoked } = openPool({ answer: () => json(401, { message: 'Bad credentials' }) });
  const replaced = await open();
  await expect(replaced.client.fetchRepository()).rejects.toThrow('could not read acme/docs');
  const used = await open();
  await use({ permissions: { issues: 'write' } });
  await pool[Symbol.asyncDispose]();
  for (const access of [replaced, used]) await access[Symbol.asyncDispose]();
  await pool[Symbol.asyncDispose]();
  expect(revoked.toSorted()).toEqual(['ghs_1', 'ghs_2', 'ghs_3']);
  await expect(open()).rejects.toThrow('the service is stopping');
});

test.each<[string, () => Response]>([
  ['is no longer valid', () => json(401, { message: 'Bad credentials' })],
  ['lacks a permission', () => json(403, { message: 'Resource not accessible by integration' })],
  ['finds the repository renamed', () => json(200, { id: 7 })],
])('a token that %s is not reused', async (_name, answer) => {
  const { pool, open, use, revoked } = openPool({ answer });
  await using _pool = pool;
  const access = await open();
  const other = await open();
  await expect(access.client.fetchRepository()).rejects.toThrow();
  expect(await use()).toBe('ghs_2');
  await access[Symbol.asyncDispose]();
  expect(revoked).toEqual([]);
  await other[Symbol.asyncDispose]();
  await eventually(() => revoked.length || undefined);
  expect(revoked).toEqual(['ghs_1']);
  expect(await use()).toBe('ghs_2');
});

test('a token is reused after a rate limit', async () => {
  const { pool, open, use, countMinted } = openPool({ answer: () => json(429, {}) });
  await using _pool = pool;
  await using access = await open();
  await expect(access.client.fetchRepository()).rejects.toMatchObject({ name: 'Parked' });
  expect(await use()).toBe('ghs_1');
  expect(countMinted()).toBe(1);
});

test('a failure with an old token does not end the token after it', async () => {
  const { pool, open, use } = openPool({ answer: () => json(401, { message: 'Bad credentials' }) });
  await using _pool = pool;
  await using access = await open();
  await expect(access.client.fetchRepository()).rejects.toThrow();
  expect(await use()).toBe('ghs_2');
  await expect(access.client.fetchRepository()).rejects.toThrow();
  expect(await use()).toBe('ghs_2');
});

test('a failed mint fails all waiting uses and none after them', async () => {
  let isDown = true;
  const mint = () => (isDown ? json(500, { message: 'Server Error' }) : undefined);
  const { pool, use, countMinted } = openPool({ mint });
  await using _pool = pool;
  const results = await Promise.allSettled([use(), use(), use()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  isDown = false;
  expect(await use()).toBe('ghs_1');
  expect(countMinted()).toBe(1);
});

test('the installation of a token is forgotten after its last use, also of a read-only token', async () => {
  const admitted: number[] = [];
  const github = createApp({
    fetch: async () =>
      json(201, { token: 'ghs_1', expires_at: new Date(Date.now() + 3600_000), permissions: { contents: 'read' } }),
    admit: async ({ installationId }) => {
      admitted.push(installationId);
      return { waitedMs: 0, wasLimited: false };
    },
  });
  const reading = { location, permissions: { contents: 'read' }, signal } as const;
  const { token, ...access } = await mintAccess({ github, secrets: createRedactor([]), ...reading });
  await github.admitGit({ token, signal });
  await access[Symbol.asyncDispose]();
  await github.admitGit({ token, signal });
  // One admission for the mint, one for git.
  expect(admitted).toEqual([9, 9]);
});
