import { expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { readBacklog } from '../../../src/store/tables/figures.ts';
import { intendEffect } from '../../../src/store/tables/jobs/effects.ts';
import { insertDelivery } from '../../../src/store/tables/repositories/deliveries.ts';
import {
  claimMissedDelivery,
  markRedeliveryRequested,
  recordMissedDeliveries,
} from '../../../src/store/tables/repositories/redeliveries.ts';
import { createTestDatabase } from '../../support/databases/database.ts';
import { makeJob } from '../../support/databases/jobs.ts';

test('waiting deliveries and answers exclude those of suspended installations', async () => {
  await using made = await createTestDatabase();
  const { database, store } = made;
  const anHourAgo = new Date(Date.now() - 3600_000);
  for (const repositoryId of [1, 2]) {
    const { projectId } = await createProject(database, { repositoryId, repo: `docs-${repositoryId}` });
    const { job_id: jobId } = await makeJob(store, projectId, 'completed');
    await intendEffect(database, { jobId, key: 'run_1:comment', epoch: 0, request: {} });
    await insertDelivery(database, {
      delivery_id: `of-${repositoryId}`,
      event: 'push',
      action: null,
      repository_id: repositoryId,
      fields: '{}',
      received_at: anHourAgo,
    });
  }
  await insertDelivery(database, {
    delivery_id: 'of-none',
    event: 'installation',
    action: 'unsuspend',
    repository_id: null,
    fields: '{}',
  });
  await database.updateTable('effects').set({ intended_at: anHourAgo }).execute();
  expect(await readBacklog(database)).toMatchObject({ deliveries: { count: 3 }, answers: { count: 2 } });

  const suspend = database.updateTable('installations').set({ suspended_at: new Date() });
  await suspend.where('installation_id', '=', 1001).execute();
  const one = await readBacklog(database);
  expect(one).toMatchObject({ deliveries: { count: 2 }, answers: { count: 1 }, suspendedInstallations: 1 });
  expect(one.answers.oldestSeconds).toBeGreaterThan(3_500);

  await suspend.execute();
  const { deliveries, answers } = await readBacklog(database);
  expect(answers).toEqual({ count: 0, oldestSeconds: 0 });
  // A delivery about the installation itself counts.
  expect(deliveries.count).toBe(1);
  expect(deliveries.oldestSeconds).toBeLessThan(600);
});

test('a delivery counts as missed after two failed redeliveries, until it arrives', async () => {
  await using made = await createTestDatabase();
  const { database } = made;
  const count = async () => (await readBacklog(database)).missedDeliveries;
  const fail = (attemptId: string, failedAt: Date) =>
    recordMissedDeliveries(database, [{ attemptId, deliveryId: 'missed', failedAt }]);
  /** Requests one redelivery without the pause. */
  const ask = async () => {
    await database
      .updateTable('redeliveries')
      .set({ due_at: new Date(0) })
      .execute();
    const missed = await claimMissedDelivery(database);
    if (missed) await markRedeliveryRequested(database, missed);
  };
  const now = Date.now();

  await fail('1', new Date(now));
  await ask();
  await fail('2', new Date(now + 1));
  expect(await count()).toBe(0);
  await ask();
  // Deliveries without meaning for Pagewright are not stored when they arrive.
  expect(await count()).toBe(0);
  await fail('3', new Date(now + 2));
  expect(await count()).toBe(1);

  await insertDelivery(database, {
    delivery_id: 'missed',
    event: 'push',
    action: null,
    repository_id: null,
    fields: '{}',
  });
  expect(await count()).toBe(0);
});
