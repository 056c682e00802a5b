import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../../harness/create-project.ts';
import { createDeliveryContext } from '../../../src/deliveries/delivery-context.ts';
import { readReview } from '../../../src/deliveries/instructions/read-review.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { createParts } from '../../model-based/create-parts.ts';
import { createMemoryGitHub } from '../../model-based/memory-github.ts';
import { createTestDatabase, type TestDatabase } from '../../support/databases/database.ts';
import { acceptJob } from '../../support/databases/jobs.ts';

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made[Symbol.asyncDispose]());

const { signal } = new AbortController();
const rita = { login: 'rita', id: 11, type: 'User' } as const;

test('all texts of a review with a thousand replies are read, and quotes for the first hundred', async () => {
  const memory = createMemoryGitHub(1);
  const { projectId } = await createProject(made.database);
  await acceptJob(made.store, projectId);
  const project = await findProject(made.database, projectId);
  if (!project) throw new Error('there is a project');
  const { number } = memory.open({ branch: 'pagewright/x', base: 'main', title: '', body: '', draft: false });
  const { id: reviewId, submittedAt: createdAt } = memory.review(number, rita, { body: 'Nearly.', remarks: [] });
  for (let count = 1; count <= 1000; count += 1) {
    const [rootId, id] = [10_000 + count, 20_000 + count];
    const written = { pullRequest: number, writer: rita, createdAt };
    memory.remarks.push({ ...written, id: rootId, body: `Question ${count}`, reviewId: 1, inReplyTo: null });
    memory.remarks.push({ ...written, id, body: `Answer ${count}`, reviewId, inReplyTo: rootId });
  }
  const { deliveryParts, requests } = createParts(made, memory);
  const delivery = { deliveryId: 'delivery-1', fields: {}, receivedAt: new Date(), signal };
  const context = createDeliveryContext(deliveryParts, delivery);
  const review = await readReview(context, { project, number }, reviewId);

  expect(review?.remarks.map(({ text }) => text)).toEqual(
    Array.from({ length: 1000 }, (_, index) => `Answer ${index + 1}`),
  );
  const quoted = review?.remarks.flatMap(({ quoted }) => quoted?.text ?? []);
  expect(quoted).toEqual(Array.from({ length: 100 }, (_, index) => `Question ${index + 1}`));
  // By pages: one by one they would take longer than an entry of the queue has.
  expect(requests.filter((asked) => /\/pulls\/comments\/\d+$/.test(asked))).toEqual([]);
});
