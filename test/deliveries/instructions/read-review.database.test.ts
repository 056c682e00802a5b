import { expect, test } from 'vitest';
import { createDeliveryContext } from '../../../src/deliveries/delivery-context.ts';
import { readReview } from '../../../src/deliveries/instructions/read-review.ts';
import { findProject } from '../../../src/store/tables/repositories/projects.ts';
import { openParts } from '../../model-based/create-parts.ts';
import { acceptJob } from '../../support/databases/jobs.ts';

const { signal } = new AbortController();

test('all texts of a review with a thousand replies are read, and quotes for the first hundred', async () => {
  await using parts = await openParts();
  const { projectId, repository, rita, github } = parts.world;
  const { fullName } = repository;
  parts.setClock();
  await acceptJob(parts, projectId);
  const project = await findProject(parts.database, projectId);
  if (!project) throw new Error('there is a project');
  await rita.pushCommit(fullName, 'pagewright/x', { 'x.md': '# Page\n' }, 'Write a page');
  const opened = { title: 'A page', head: 'pagewright/x', base: 'main' };
  const { number, reviewComments } = await rita.openPullRequest(fullName, opened);
  const one = await rita.commentOnLine(fullName, number, { path: 'x.md', line: 1, body: 'One.' });
  const { id: reviewId } = await rita.review(fullName, number, { body: 'Nearly.' });
  for (let count = 1; count <= 1000; count += 1) {
    const [rootId, id] = [10_000 + count, 20_000 + count];
    reviewComments.push({ ...one, id: rootId, body: `Question ${count}` });
    reviewComments.push({ ...one, id, body: `Answer ${count}`, reviewId, inReplyToId: rootId });
  }
  const delivery = { deliveryId: 'delivery-1', fields: {}, receivedAt: new Date(), signal };
  const context = createDeliveryContext(parts.deliveryParts, delivery);
  const review = await readReview(context, { project, number }, reviewId);

  expect(review?.remarks.map(({ text }) => text)).toEqual(
    Array.from({ length: 1000 }, (_, index) => `Answer ${index + 1}`),
  );
  const quoted = review?.remarks.flatMap(({ quoted }) => quoted?.text ?? []);
  expect(quoted).toEqual(Array.from({ length: 100 }, (_, index) => `Question ${index + 1}`));
  // By pages: one by one they would take longer than an entry of the queue has.
  expect(github.requests.filter(({ path }) => /\/pulls\/comments\/\d+$/.test(path))).toEqual([]);
});
