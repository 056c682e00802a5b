import { afterAll, beforeAll, expect, test } from 'vitest';
import { commentCreated } from '../../src/deliveries/comment.ts';
import type { DeliveryParts } from '../../src/deliveries/event-handler.ts';
import { deliveryFieldsSchema } from '../../src/store/delivery-fields.ts';
import { updateJob } from '../../src/store/jobs.ts';
import { makeJob } from '../support/jobs.ts';
import { createWorld, type World } from '../support/world.ts';
import { createParts } from './create-parts.ts';

let world: World;
let parts: DeliveryParts;
beforeAll(async () => {
  world = await createWorld({ script: () => ({}) });
  parts = createParts(world);
  const { job_id: jobId } = await makeJob(parts, world.projectId, 'completed');
  await updateJob(parts.database, jobId, { branch: 'pagewright/x' });
});
afterAll(() => world[Symbol.asyncDispose]());

test('whoever may not prompt costs one question to GitHub, on however many pull requests that may be ours', async () => {
  const stranger = world.github.addUser('stranger');
  const asked = world.github.requests.length;
  for (const number of [5, 6, 7]) {
    const fields = deliveryFieldsSchema.parse({
      action: 'created',
      repository: { id: world.repository.id, name: 'docs', owner: { login: 'acme' }, default_branch: 'main' },
      issue: { number, pull_request: {} },
      comment: { id: number, body: 'Hello?', user: stranger, created_at: '2026-11-20T20:06:00Z' },
    });
    const { signal } = new AbortController();
    const outcome = await commentCreated(parts, { deliveryId: 'delivery-1', fields, receivedAt: new Date(), signal });
    expect(outcome).toBe('written by somebody without write access');
  }
  const about = world.github.requests.slice(asked).filter(({ path }) => path.startsWith('/repos/'));
  expect(about.map(({ path }) => path)).toEqual(['/repos/acme/docs/collaborators/stranger/permission']);
});
