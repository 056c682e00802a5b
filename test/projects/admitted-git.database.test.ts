import { tmpdir } from 'node:os';
import nock from 'nock';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createGit } from '../../src/git/git.ts';
import { readTip } from '../../src/git/remote.ts';
import { createGitHubApp } from '../../src/github/auth/app.ts';
import { createGitHubLimits } from '../../src/projects/github-limits.ts';
import { createAdmittedGit } from '../../src/service/create-repositories.ts';
import { findBlock, upsertInstallation } from '../../src/store/tables/repositories/installations.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { startGitServer } from '../support/git/git-http.ts';

const installationId = 1001;
const { signal } = new AbortController();

let made: TestDatabase;
let server: Awaited<ReturnType<typeof startGitServer>>;
beforeAll(async () => {
  made = await createTestDatabase();
  server = await startGitServer({ root: tmpdir(), token: 'unused' });
  server.answerWith(429, /.*/);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await made[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await made.database.deleteFrom('installations').execute();
  await upsertInstallation(made.database, { installationId, account: 'acme', suspendedAt: null });
});

/** A process with a token of the installation. `ask` contacts the git server with it, or with another token. */
async function startProcess({ token: minted }: { token: string }) {
  const limits = createGitHubLimits({ database: made.database });
  const apiUrl = 'https://api.github.com';
  const github = createGitHubApp({ appId: '5', privateKey: inject('privateKey'), apiUrl, ...limits });
  const body = { token: minted, expires_at: new Date(Date.now() + 3600_000), permissions: {} };
  nock(apiUrl).post(`/app/installations/${installationId}/access_tokens`).reply(201, body);
  await github.mintToken({ installationId, repositoryId: 42, permissions: {}, signal });
  const git = createAdmittedGit({ git: createGit({ allowHttp: true }), github });
  const url = `${server.url}/acme/docs.git`;
  return { ask: (token = minted) => readTip({ git, url, token, branch: 'main', signal }) };
}

test('promise 21: after git meets a rate limit, no process contacts the remote until it ends', async () => {
  const [one, other] = [await startProcess({ token: 'ghs_one' }), await startProcess({ token: 'ghs_other' })];
  const before = Date.now();
  const parked: unknown = await one.ask().catch((error: unknown) => error);
  expect(parked).toMatchObject({ name: 'Parked', until: expect.any(Date) });
  const block = await findBlock(made.database, installationId);
  expect(block).toMatchObject({ isOver: false });
  // GitHub named no time.
  expect(Math.round((Number(block?.until) - before) / 1000)).toBeCloseTo(60, -1);
  const requestCount = server.requests.length;
  await expect(other.ask()).rejects.toMatchObject({ name: 'Parked' });
  expect(server.requests.length).toBe(requestCount);
});

test('a rate limit for an unknown token blocks no installation', async () => {
  const { ask } = await startProcess({ token: 'ghs_one' });
  await expect(ask('ghs_unknown')).rejects.toMatchObject({ name: 'Parked' });
  expect(await findBlock(made.database, installationId)).toBeUndefined();
});
