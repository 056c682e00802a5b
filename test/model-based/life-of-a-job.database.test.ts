import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../../harness/create-project.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases/database.ts';
import { assertAnySequence } from './assert-any-sequence.ts';
import { rita } from './commands.ts';
import { assertAtRest } from './compare.ts';
import { createParts } from './create-parts.ts';
import { words, workOff } from './hear.ts';
import { startLiveJob } from './live-job.ts';
import { createMemoryGitHub } from './memory-github.ts';
import { accept, createModel, stop } from './model.ts';
import { comeToRest, openPullRequest, plain, takeStep } from './take-step.ts';

let made: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
});
afterAll(() => made[Symbol.asyncDispose]());

test('promises 6, 8, 14, 15: after any sequence of events, a job follows its pull request and answers each message once', async () => {
  await assertAnySequence(made, { numRuns: 20, seed: 4 });
});

/** For sequences that chance hardly ever finds. */
async function start(repositoryId: number) {
  const memory = createMemoryGitHub(repositoryId);
  const { projectId } = await createProject(made.database, { repositoryId });
  const live = await startLiveJob({ parts: createParts(made, memory), memory, projectId });
  const model = createModel();
  const rest = async () => {
    await comeToRest(model, live);
    await assertAtRest(model, live);
  };
  return {
    live,
    model,
    number: () => live.pullRequest()?.number ?? 0,
    async hearAll() {
      for (const delivery of live.untold.splice(0)) await live.deliver(delivery);
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
  const { live, model, number, hearAll, cancelAndRest } = await start(2);
  await openPullRequest(model, live, { death: 'write' });
  live.memory.comment(number(), rita, words.ask);
  await hearAll();
  await cancelAndRest();
});

test('a review that is dropped while a run publishes is not reported as taken', async () => {
  const { live, model, number, hearAll, cancelAndRest } = await start(3);
  await openPullRequest(model, live);
  accept(model, (await live.message()).key);
  await takeStep(model, live, plain);
  await takeStep(model, live, plain);
  live.memory.review(number(), rita, { body: '', remarks: [words.ask] });
  await hearAll();
  await cancelAndRest();
});

test('a message after a late stop is answered, even if the stopped run had taken it', async () => {
  const { live, model, number, hearAll, rest } = await start(4);
  await openPullRequest(model, live);
  live.memory.comment(number(), rita, words.stop);
  const held = live.untold.splice(0);
  live.memory.tick();
  live.memory.comment(number(), rita, words.ask);
  await hearAll();
  await takeStep(model, live, plain);
  await takeStep(model, live, { ...plain, isThinking: true });
  accept(model, (await live.message()).key);
  live.untold.push(...held);
  await hearAll();
  await rest();
  const { messages } = await live.read();
  expect(messages.map(({ state }) => state)).toEqual(['answered', 'answered', 'dropped']);
});
