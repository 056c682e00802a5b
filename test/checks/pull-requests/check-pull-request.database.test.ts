import { expect, test } from 'vitest';
import { checkPullRequest } from '../../../src/checks/pull-requests/check-pull-request.ts';
import { GitRefusal } from '../../../src/git/errors.ts';
import { createSilentLog } from '../../../src/log.ts';
import { takeStepDirectly } from '../../../src/steps.ts';
import {
  findPullRequestCheck,
  finishPullRequestCheck,
  insertPullRequestCheck,
  noDocumentation,
} from '../../../src/store/tables/repositories/pull-request-checks.ts';
import { realTiming } from '../../../src/timing.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';

const db = setUpProject();
const { signal } = new AbortController();

/** A check that waits since `ageMs`, where fetching ends so. */
async function ask({ number, ageMs = 0, fetch }: { number: number; ageMs?: number; fetch: () => Promise<object> }) {
  const { database, projectId } = db;
  await database
    .updateTable('projects')
    .set({ settings: JSON.stringify({ checks: 'require' }) })
    .execute();
  const head = { projectId, number, sha: 'a'.repeat(40) };
  await insertPullRequestCheck(database, { ...head, base: 'main' });
  const requested = { requested_at: new Date(Date.now() - ageMs) };
  await database.updateTable('pull_request_checks').set(requested).where('number', '=', number).execute();
  const created: { conclusion: string | undefined }[] = [];
  const client = {
    listPullRequestFiles: async () => [{ path: 'docs/index.md', previousPath: null }],
    findOwnCheckRun: async () => undefined,
    createCheckRun: async (check: { conclusion: string | undefined }) => created.push(check),
  };
  const parts = {
    ...db.store,
    openProject: async () => ({ client, token: 't', async [Symbol.asyncDispose]() {} }),
    mirrors: { fetch },
    takeStep: takeStepDirectly,
    webUrl: 'https://github.com',
    timing: realTiming,
    log: createSilentLog(),
  } as unknown as Parameters<typeof checkPullRequest>[0];
  return {
    created,
    check: () => checkPullRequest(parts, head, signal),
    read: () => findPullRequestCheck(database, head),
  };
}

test('a repository that git cannot read gets a neutral check, once, so that no merge waits for it', async () => {
  const fetch = () => Promise.reject(new GitRefusal({ reason: 'repository_too_large', maxBytes: 1 }));
  const { created, check, read } = await ask({ number: 7, fetch });
  await check();
  await check();
  expect(created).toMatchObject([{ conclusion: 'neutral' }]);
  expect(await read()).toMatchObject({ state: 'done', check_run_id: 1 });
});

test('a head that could not be fetched is no newer push, however long the check has waited', async () => {
  const mirror = { directory: '', baseSha: 'c', branchSha: null, async [Symbol.asyncDispose]() {} };
  const { check, read } = await ask({ number: 8, ageMs: 120_000, fetch: async () => mirror });
  expect(await check()).toBeInstanceOf(Date);
  expect(await read()).toMatchObject({ state: 'waiting' });
});

test('what fails for an hour is not checked, and says so; before, it is tried again', async () => {
  const fetch = () => Promise.reject(new Error('early EOF'));
  const young = await ask({ number: 9, fetch });
  await expect(young.check()).rejects.toThrow('early EOF');
  expect(await young.read()).toMatchObject({ state: 'waiting' });
  const old = await ask({ number: 10, ageMs: 2 * 3600_000, fetch });
  await old.check();
  expect(old.created).toMatchObject([{ conclusion: 'neutral' }]);
  expect(young.created).toEqual([]);
});

test('a head without a check run is checked when its pull request is reopened, one with a check run is not', async () => {
  const { database, projectId } = db;
  const fetch = () => Promise.reject(new GitRefusal({ reason: 'repository_too_large', maxBytes: 1 }));
  const { check, read, created } = await ask({ number: 11, fetch });
  const again = () => insertPullRequestCheck(database, { projectId, number: 11, sha: 'a'.repeat(40), base: 'main' });
  const row = await read();
  if (!row) throw new Error('there is none');
  await finishPullRequestCheck(database, row, { reason: 'GitHub refused: checks=write is missing' });
  expect(await again()).toBe(true);
  await finishPullRequestCheck(database, { ...row, attempt: row.attempt + 1 }, { reason: noDocumentation });
  expect(await again()).toBe(false);
  await database.updateTable('pull_request_checks').set({ state: 'waiting' }).where('number', '=', 11).execute();
  await check();
  expect(created).toHaveLength(1);
  expect(await again()).toBe(false);
});
