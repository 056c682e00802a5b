import { expect, test } from 'vitest';
import type { DeliveryParts } from '../../../src/deliveries/delivery-context.ts';
import { reconcilePullRequests } from '../../../src/deliveries/reconcile/reconcile.ts';
import { updateJob } from '../../../src/store/tables/jobs/jobs.ts';
import { acceptJob } from '../../support/databases/jobs.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';
import { createParts } from '../create-parts.ts';

const { signal } = new AbortController();

/** A job whose pull request is open, with a new page. */
async function openJob(world: World, parts: DeliveryParts, head: string) {
  const rita = world.github.asPerson('rita');
  await rita.pushCommit('acme/docs', head, { [`${head}.md`]: 'New.\n' }, head);
  const { number } = await rita.openPullRequest('acme/docs', { title: head, body: '', head, base: 'main' });
  const { job_id: jobId } = await acceptJob(parts, world.projectId);
  await updateJob(parts.database, jobId, { branch: head, pull_request_number: number });
  return { rita, number, jobId };
}

test('promise 8: a job that cannot be reconciled is logged, blocks no other, and is retried in the next round', async () => {
  await using world = await createWorld({ script: () => ({ text: 'Nothing to do.' }) });
  const lines: string[] = [];
  const parts = createParts(world, { lines, retryDelaysMs: [] });
  const jobIds: string[] = [];
  for (const head of ['one', 'two']) {
    const { rita, number, jobId } = await openJob(world, parts, head);
    await rita.closePullRequest('acme/docs', number);
    jobIds.push(jobId);
  }
  const readStatuses = async () =>
    (await parts.database.selectFrom('jobs').select('status').orderBy('job_id').execute()).map(({ status }) => status);

  world.github.inject({ path: /\/issues\/1$/, kind: 'answer', status: 403, body: { message: 'not now' } });
  await reconcilePullRequests(parts, signal);
  expect(await readStatuses()).toEqual(['active', 'archived']);
  const told = lines.filter((line) => line.includes('could not reconcile with GitHub; the next round retries'));
  expect(told).toEqual([expect.stringContaining(`"jobId":"${jobIds[0]}"`)]);

  await reconcilePullRequests(parts, signal);
  expect(await readStatuses()).toEqual(['archived', 'archived']);
});

test('promise 8: a merge is found without the issues permission', async () => {
  await using world = await createWorld({ script: () => ({ text: 'Nothing to do.' }) });
  const parts = createParts(world);
  world.github.setInstallationPermissions(world.installationId, { contents: 'write', pull_requests: 'write' });
  const { rita, number, jobId } = await openJob(world, parts, 'next');
  await rita.mergePullRequest('acme/docs', number);
  await reconcilePullRequests(parts, signal);
  const job = parts.database.selectFrom('jobs').select('status').where('job_id', '=', jobId);
  expect(await job.executeTakeFirst()).toEqual({ status: 'archived' });
});

test('promise 14: a pull request that is reopened while it is reconciled archives nothing', async () => {
  await using world = await createWorld({ script: () => ({ text: 'Nothing to do.' }) });
  const parts = createParts(world);
  const { rita, number, jobId } = await openJob(world, parts, 'next');
  await rita.closePullRequest('acme/docs', number);
  const reopened = { number, state: 'open', closed_by: null };
  world.github.inject({ path: /\/issues\/1$/, kind: 'answer', status: 200, body: reopened });
  await reconcilePullRequests(parts, signal);
  const job = parts.database.selectFrom('jobs').select('status').where('job_id', '=', jobId);
  expect(await job.executeTakeFirst()).toEqual({ status: 'active' });
});
