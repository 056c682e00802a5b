import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { eventually } from '../../harness/eventually.ts';
import { acceptInstruction } from '../../src/deliveries/instructions/accept-instruction.ts';
import type { Trigger } from '../../src/deliveries/instructions/trigger.ts';
import { removeProject } from '../../src/deliveries/reconcile/remove-project.ts';
import { GitHubRefusal } from '../../src/github/refusals/github-refusal.ts';
import { endRun } from '../../src/jobs/end-run.ts';
import { createSilentLog } from '../../src/log.ts';
import { resolveFailure } from '../../src/runs/resolve-failure.ts';
import type { Tx } from '../../src/store/postgres/database.ts';
import { inTransaction } from '../../src/store/store.ts';
import { lockJob, updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { findInstallation, upsertInstallation } from '../../src/store/tables/repositories/installations.ts';
import { findProject, markProjectRemoved } from '../../src/store/tables/repositories/projects.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { acceptJob, beginWork, makeJob } from '../support/databases/jobs.ts';

const { signal: gone } = new AbortController();
let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made[Symbol.asyncDispose]());

/** Resolves when somebody waits for a lock of this database. */
const untilBlocked = () =>
  eventually(async () => {
    const { rows } = await sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      made.database,
    );
    return rows[0];
  });

/** From now on, who waits for a lock of this transaction's waiters fails before PostgreSQL finds the deadlock. */
const impatiently = (tx: Tx) => sql`set local lock_timeout = '300ms'`.execute(tx);

test('an instruction that arrives while its project is removed waits for the removal and does not block it', async () => {
  const { database, store } = made;
  const { projectId } = await createProject(database, { repositoryId: 1 });
  const job = await makeJob(store, projectId, 'completed');
  const project = await findProject(database, projectId);
  if (!project) throw new Error('there is a project');
  const pullRequest = { project, job, number: 7 };
  const trigger: Trigger = {
    source: 'comment',
    sourceKey: 'comment:1',
    person: { login: 'rita', userId: 5 },
    deliveryId: 'delivery-1',
    writtenAt: new Date(),
    comments: [],
  };
  const { accepted } = await inTransaction(store, async (removing) => {
    await markProjectRemoved(removing.tx, projectId);
    const accepted = inTransaction(store, (accepting) =>
      acceptInstruction(accepting, pullRequest, trigger, { prompt: 'Happier, please.' }, { limits: { rateLimit: 0 } }),
    );
    await untilBlocked();
    await impatiently(removing.tx);
    await removeProject(removing, project);
    return { accepted };
  });
  expect(await accepted).toBe('the repository is not a project');
});

test('a run that finds its installation suspended does not block a reload of the installation', async () => {
  const { database, store } = made;
  const { projectId } = await createProject(database, { repositoryId: 2, repo: 'guides' });
  const { job_id: jobId } = await acceptJob(store, projectId);
  const { lease, run } = await beginWork(store);
  const error = new GitHubRefusal({ reason: 'installation_suspended' });
  const log = createSilentLog();
  const { settled } = await database.transaction().execute(async (tx) => {
    await upsertInstallation(tx, { installationId: 1002, account: 'acme-renamed', suspendedAt: null });
    const settled = resolveFailure(error, { parts: store, lease, run, signals: { gone }, log });
    await untilBlocked();
    await impatiently(tx);
    expect(await lockJob(tx, jobId)).toMatchObject({ status: 'active' });
    return { settled };
  });
  await settled;
});

test('a run that ends while its project is removed is not blocked by the removal: both count usage', async () => {
  const { database, store } = made;
  const { projectId } = await createProject(database, { repositoryId: 4, repo: 'site' });
  // With a message that waits: its archiving counts a run.
  await acceptJob(store, projectId);
  await database.updateTable('jobs').set({ due_at: null }).where('project_id', '=', projectId).execute();
  await acceptJob(store, projectId);
  const { lease, run } = await beginWork(store);
  const project = await findProject(database, projectId);
  if (!project) throw new Error('there is a project');
  const { removed } = await inTransaction(store, async (ending) => {
    await lockJob(ending.tx, lease.jobId);
    const removed = inTransaction(store, (removing) => removeProject(removing, project));
    await untilBlocked();
    await impatiently(ending.tx);
    await endRun(ending, run, { outcome: 'completed', code: 'published', sentence: 'Done.' });
    return { removed };
  });
  await removed;
  const used = await database.selectFrom('usage').select('runs').where('project_id', '=', projectId).execute();
  expect(used).toEqual([{ runs: 2 }]);
});

test('a worker that lost its lease does not mark an installation suspended: its knowledge may be outdated', async () => {
  const { database, store } = made;
  const { projectId } = await createProject(database, { repositoryId: 3, repo: 'blog' });
  await acceptJob(store, projectId);
  const { lease, run } = await beginWork(store);
  await updateJob(database, lease.jobId, { lease_epoch: lease.epoch + 1 });
  const error = new GitHubRefusal({ reason: 'installation_suspended' });
  const log = createSilentLog();
  await resolveFailure(error, { parts: store, lease, run, signals: { gone }, log });
  expect(await findInstallation(database, 1003)).toMatchObject({ suspended_at: null });
});
