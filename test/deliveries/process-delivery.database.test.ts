import { afterEach, expect, test, vi } from 'vitest';
import type { FaultRule } from '../../local/github/api/faults.ts';
import { events } from '../../src/deliveries/events.ts';
import { processDelivery } from '../../src/deliveries/process-delivery.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { findDelivery, insertDelivery } from '../../src/store/tables/repositories/deliveries.ts';
import { makeJob } from '../support/databases/jobs.ts';
import { aboutAt } from '../support/values/about-at.ts';
import { createWorld } from '../support/worlds/world.ts';
import { createParts } from './create-parts.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  ['an hour behind', -3600_000],
  ['right', 0],
  ['an hour ahead', 3600_000],
])('a review is waited for as long on a machine whose clock is %s', async (_name, offMs) => {
  await using world = await createWorld({ script: () => ({ calls: [] }) });
  const parts = createParts(world);
  await insertDelivery(parts.database, {
    delivery_id: 'review',
    event: 'pull_request_review',
    action: 'submitted',
    repository_id: world.repository.id,
    review_id: 1,
    fields: JSON.stringify({
      action: 'submitted',
      repository: { id: world.repository.id, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' },
      pull_request: {
        number: 1,
        state: 'open',
        updated_at: '2026-11-20T20:06:00Z',
        head: { ref: 'pagewright/x' },
        base: { ref: 'main' },
      },
      review: { id: 1, body: 'Please.', user: null },
    }),
  });
  // auth-app corrects its own clock by GitHub's.
  await parts.github.fetchApp(new AbortController().signal);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs });
  const again = await processDelivery(parts, 'review', new AbortController().signal);
  const waitMs = (again?.getTime() ?? 0) - Date.now();
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(3_000);
});

test.each<[string, FaultRule]>([
  ['gives no answer', { path: /\/permission$/, kind: 'before', times: 3 }],
  ['does not take the key of the App', { path: /\/access_tokens$/, kind: 'answer', status: 401, body: {} }],
])('promise 2: while GitHub %s, a comment waits until it does', async (_name, fault) => {
  await using world = await createWorld({ script: () => ({ calls: [] }) });
  const parts = createParts(world, { retryDelaysMs: [1, 1] });
  const { database } = parts;
  // It may just have opened the pull request of the comment.
  const { job_id: jobId } = await makeJob(parts, world.projectId, 'completed');
  await updateJob(database, jobId, { branch: 'pagewright/x' });
  await insertDelivery(database, {
    delivery_id: 'comment',
    event: 'issue_comment',
    action: 'created',
    repository_id: world.repository.id,
    fields: JSON.stringify({
      action: 'created',
      repository: { id: world.repository.id, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' },
      issue: { number: 5, pull_request: {} },
      comment: { id: 1, body: 'Happier.', user: world.github.addUser('rita'), created_at: new Date() },
    }),
    received_at: new Date(Date.now() - 3600_000),
  });
  const process = () => processDelivery(parts, 'comment', new AbortController().signal);
  world.github.inject(fault);
  expect(await process()).toEqual(aboutAt(new Date(Date.now() + 5 * 60_000)));
  expect(await findDelivery(database, 'comment')).toMatchObject({ state: 'stored' });
  expect(await process()).toBeUndefined();
  expect(await findDelivery(database, 'comment')).toMatchObject({ reason: 'not a pull request of a job' });
});

test('a stored delivery about installations that names none is processed once, not retried', async () => {
  await using world = await createWorld({ script: () => ({ calls: [] }) });
  const parts = createParts(world);
  const repository = { id: 1, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' };
  const about = events
    .filter(({ name }) => /^(repository|installation)/.test(name))
    .flatMap(({ name: event, actions }) => actions.map((action) => ({ event, action })));
  for (const { event, action } of about) {
    const deliveryId = `${event}.${action}`;
    const fields = JSON.stringify({ action, repository });
    await insertDelivery(parts.database, { delivery_id: deliveryId, event, action, repository_id: 1, fields });
    expect(await processDelivery(parts, deliveryId, new AbortController().signal)).toBeUndefined();
    expect(await findDelivery(parts.database, deliveryId)).not.toMatchObject({ state: 'stored' });
  }
  expect(about.length).toBeGreaterThan(8);
});

test('a delivery is given up after three days, whatever it waits for', async () => {
  await using world = await createWorld({ script: () => ({ calls: [] }) });
  const parts = createParts(world);
  const { database } = parts;
  await database.updateTable('installations').set({ suspended_at: new Date() }).execute();
  const repository = {
    id: world.repository.id,
    name: 'docs',
    owner: { login: 'acme' },
    default_branch: 'main',
  };
  for (const [deliveryId, hours] of [
    ['young', 71],
    ['old', 73],
  ] as const) {
    await insertDelivery(database, {
      delivery_id: deliveryId,
      event: 'push',
      action: null,
      repository_id: world.repository.id,
      fields: JSON.stringify({ repository, ref: 'refs/heads/main' }),
      received_at: new Date(Date.now() - hours * 3600_000),
    });
  }
  const process = (deliveryId: string) => processDelivery(parts, deliveryId, new AbortController().signal);
  expect(await process('young')).toBeInstanceOf(Date);
  expect(await process('old')).toBeUndefined();
  expect(await findDelivery(database, 'young')).toMatchObject({ state: 'stored' });
  expect(await findDelivery(database, 'old')).toMatchObject({ state: 'ignored', reason: 'given up after three days' });
});
