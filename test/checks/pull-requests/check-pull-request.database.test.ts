import { expect, test } from 'vitest';
import { checkPullRequest } from '../../../src/checks/pull-requests/check-pull-request.ts';
import { GitRefusal } from '../../../src/git/errors.ts';
import { createLog } from '../../../src/log.ts';
import { takeStepDirectly } from '../../../src/steps.ts';
import {
  findPullRequestCheck,
  insertPullRequestCheck,
} from '../../../src/store/tables/repositories/pull-request-checks.ts';
import { setUpProject } from '../../support/databases/set-up-project.ts';

const db = setUpProject();
const { signal } = new AbortController();

test('a repository that git cannot read gets a neutral check, once, so that no merge waits for it', async () => {
  const { database, projectId } = db;
  await database
    .updateTable('projects')
    .set({ settings: JSON.stringify({ checks: 'require' }) })
    .execute();
  const head = { projectId, number: 7, sha: 'a'.repeat(40) };
  await insertPullRequestCheck(database, { ...head, base: 'main' });
  const created: { conclusion: string | undefined }[] = [];
  const client = {
    listPullRequestFiles: async () => [{ path: 'docs/index.md', previousPath: null }],
    findOwnCheckRun: async () => undefined,
    createCheckRun: async (check: { conclusion: string | undefined }) => created.push(check),
  };
  const parts = {
    ...db.store,
    openProject: async () => ({ client, token: 't', async [Symbol.asyncDispose]() {} }),
    mirrors: { fetch: () => Promise.reject(new GitRefusal({ reason: 'repository_too_large', maxBytes: 1 })) },
    takeStep: takeStepDirectly,
    webUrl: 'https://github.com',
    log: createLog({ level: 'silent', redact: (line) => line }),
  } as unknown as Parameters<typeof checkPullRequest>[0];
  await checkPullRequest(parts, head, signal);
  await checkPullRequest(parts, head, signal);
  expect(created).toMatchObject([{ conclusion: 'neutral' }]);
  expect(await findPullRequestCheck(database, head)).toMatchObject({ state: 'done', check_run_id: 1 });
});
