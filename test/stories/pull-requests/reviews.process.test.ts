import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { realTiming } from '../../../src/timing.ts';
import { openStage, type Stage } from '../../support/worlds/conversation.ts';

const nothing = steps([finish('It is fine as it is.')]);
const limits = 'limits.md';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ timing: realTiming });
  stage.world.github.deliveries.setCopies(2);
});
afterAll(() => stage[Symbol.asyncDispose]());

// With the real pace: sixty writes, which GitHub wants a second apart.
test('promises 8 and 15: a review is one run when its thirty remarks are delivered first, in reverse order', async () => {
  const { world, name } = stage;
  const thea = stage.person('thea', 'write');
  const { deliveries } = world.github;
  const made = await stage.open([nothing]);
  const asked = world.github.requests.length;
  deliveries.hold();
  const comments = Array.from({ length: 30 }, (_, index) => ({ path: limits, line: 3, body: `Remark ${index + 1}.` }));
  await thea.review(name, made.number, { comments });
  const toldAt = Date.now();
  deliveries.release((held) => held.toReversed());
  const [, second] = await made.untilRuns(2, 120_000);
  await made.untilAnswered(120_000);

  expect(second?.messages).toHaveLength(1);
  const threads = await stage.github.reviewComments(made.number);
  const [remarks, replies] = [threads.slice(0, 30), threads.slice(30)];
  expect(remarks.map(({ reactions }) => reactions?.eyes)).toEqual(Array(30).fill(1));
  expect(replies.map(({ in_reply_to_id }) => in_reply_to_id)).toEqual(remarks.map(({ id }) => id));
  expect(new Set(replies.map(({ body }) => body.replace(/\n\n<!-- pagewright:.* -->$/, '')))).toEqual(
    new Set(['The agent did not answer this comment. See the comment on the pull request.']),
  );
  expect(await made.comments()).toHaveLength(1);
  const told = world.github.requests.slice(asked);
  const seen = told.find(({ route }) => route.endsWith('/reactions'));
  expect((seen?.at.getTime() ?? Infinity) - toldAt).toBeLessThan(5_000);
  // For the reactions, and again for the prompt, by the deliveries that are worked on at once: not for each of sixty.
  expect(told.filter(({ path }) => path.endsWith('/collaborators/thea/permission')).length).toBeLessThan(20);
});
