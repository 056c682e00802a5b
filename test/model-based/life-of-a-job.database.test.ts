import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertAnySequence } from './assert-any-sequence.ts';
import { assertAtRest } from './compare.ts';
import { openParts, type Parts } from './create-parts.ts';
import { words, workOff } from './hear.ts';
import { startLiveJob } from './live-job.ts';
import { accept, createModel, stop } from './model.ts';
import { comeToRest, openPullRequest, plain, takeStep } from './take-step.ts';

let parts: Parts;
beforeAll(async () => {
  parts = await openParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

test('promises 6, 8, 14, 15: after any sequence of events, a job follows its pull request and answers each message once', async () => {
  await assertAnySequence(parts, { numRuns: 20, seed: 21 });
});

/** For sequences that chance hardly ever finds. */
async function start() {
  const live = await startLiveJob(parts);
  const model = createModel();
  const rest = async () => {
    await comeToRest(model, live);
    await assertAtRest(model, live);
  };
  const { fullName } = parts.world.repository;
  return {
    live,
    model,
    comment: (text: string) => live.act('rita', (rita, number) => rita.comment(fullName, number, text)),
    review: (body: string) =>
      live.act('rita', (rita, number) =>
        rita.review(fullName, number, { comments: [{ path: live.path, line: 3, body }] }),
      ),
    async hearAll() {
      for (const delivery of live.untold().splice(0)) await live.deliver(delivery);
      for (let entry = live.entries.shift(); entry; entry = live.entries.shift()) await workOff(model, live, entry);
    },
    async cancelAndRest() {
      await live.cancel();
      stop(model);
      await rest();
    },
    rest,
  };
}

test('a comment is answered on a pull request that its crashed run did not record', async () => {
  const { live, model, comment, hearAll, cancelAndRest } = await start();
  await openPullRequest(model, live, { death: 'write' });
  await comment(words.ask);
  await hearAll();
  await cancelAndRest();
});

test('a review that is dropped while a run publishes is not reported as taken', async () => {
  const { live, model, review, hearAll, cancelAndRest } = await start();
  await openPullRequest(model, live);
  accept(model, (await live.message()).key);
  await takeStep(model, live, plain);
  await takeStep(model, live, plain);
  await review(words.ask);
  await hearAll();
  await cancelAndRest();
});

test('a message after a late stop is answered, even if the stopped run had taken it', async () => {
  const { live, model, comment, hearAll, rest } = await start();
  await openPullRequest(model, live);
  await comment(words.stop);
  const held = live.untold().splice(0);
  parts.tick();
  await comment(words.ask);
  await hearAll();
  await takeStep(model, live, plain);
  await takeStep(model, live, { ...plain, isThinking: true });
  accept(model, (await live.message()).key);
  live.untold().push(...held);
  await hearAll();
  await rest();
  const { messages } = await live.read();
  expect(messages.map(({ state }) => state)).toEqual(['answered', 'answered', 'dropped']);
});
