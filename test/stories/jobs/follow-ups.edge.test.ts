import { afterAll, beforeAll, expect, test } from 'vitest';
import { edit, finish, hold, write } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { type Fault, steps } from '../../../local/model/script.ts';
import { correct, oneRun } from '../../support/worlds/correction.ts';
import { readRuns } from '../../support/worlds/scenario.ts';
import { findMessages, openWorkshop, type Workshop } from '../../support/worlds/workshop.ts';
import { createWorld } from '../../support/worlds/world.ts';

let shop: Workshop;
beforeAll(async () => {
  shop = await openWorkshop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test.concurrent('promise 15: the first run answers follow-ups that were sent before it started, in order', async () => {
  await using world = await createWorld({ script: oneRun });
  await using web = await startInWorld(world, { ROLE: 'web' });
  const { id } = await web.caller.create('First.');
  await web.caller.message(id, 'Second.');
  expect(await web.caller.message(id, 'Third.')).toMatchObject({ status: 'active', prLink: null });
  await using worker = await startInWorld(world, { ROLE: 'worker' });
  expect(await worker.caller.get(id).catch((error: Error) => error.message)).toContain('404');

  expect(await web.caller.settled(id)).toMatchObject({ status: 'completed' });
  const all = ['First.', 'Second.', 'Third.'];
  const asked = world.model.requests.map(({ body }) => JSON.stringify(body));
  expect(findMessages(asked, all)).toEqual(all);
  const { runs } = await readRuns(web.caller, id);
  expect(runs.map(({ messages }) => messages.map(({ prompt, state }) => [prompt, state]))).toEqual([
    all.map((prompt) => [prompt, 'answered']),
  ]);
});

const again = steps([finish('It is so already.')]);

async function dropTurn(made: Workshop, name: string, fault: Fault) {
  const editing = hold(correct);
  const job = await made.create(`First, ${name}.`, [steps([editing.step, { fault }]), again]);
  await editing.asked;
  await job.message('Second.');
  editing.release();
  await job.settled();
  const runs = await job.runs();
  expect(runs[0]?.turns).toBe(2);
  const [pullRequest] = (await made.github.pullRequests()).filter(({ body }) => body?.includes(job.id));
  return {
    runs: runs.map((run) => [run.code, ...run.messages.map((message) => [message.prompt, message.state])]),
    quoted: pullRequest?.body?.match(/> (First|Second)\b/g),
  };
}

test.concurrent('promise 15: the next run answers a follow-up whose turn has no answer when its run ends at a limit', async () => {
  await using limited = await openWorkshop({ environment: { RUN_MAX_SECONDS: '5' } });
  const { runs, quoted } = await dropTurn(limited, 'at a limit', { kind: 'hang' });
  expect(runs).toEqual([
    ['limit_seconds', ['First, at a limit.', 'answered']],
    ['unchanged', ['Second.', 'answered']],
  ]);
  expect(quoted).toEqual(['> First']);
});

test.concurrent('promise 15: the next run answers a follow-up whose turn has no answer when its run ends refused', async () => {
  const { runs, quoted } = await dropTurn(shop, 'refused', { kind: 'refusal' });
  expect(runs).toEqual([
    ['model_refused', ['First, refused.', 'dropped']],
    ['unchanged', ['Second.', 'answered']],
  ]);
  expect(quoted).toBeUndefined();
});

test.concurrent('a follow-up to a completed job changes its pull request and posts one comment with the commit', async () => {
  const { world, github } = shop;
  const second = finish('It is 200 now.', { title: 'Raise the limit', description: 'Says 200, with a page about it.' });
  const third = finish('Added a page.');
  const job = await shop.create('Make it 100 at first.', [
    oneRun,
    steps([edit('limits.md', '100', '200'), second]),
    steps([write('raise.md', '# Raise\n'), third]),
  ]);
  const first = await job.settled();
  const number = await job.number();
  expect(await github.comments(number)).toEqual([]);

  expect(await job.message('Rather 200.')).toMatchObject({ status: 'active', prLink: null });
  expect(await job.settled()).toEqual(first);
  const afterSecond = await github.pullRequest(number);
  expect(afterSecond.title).toBe('Raise the limit');
  expect(afterSecond.body).toContain('Says 200, with a page about it.');
  expect(afterSecond.body).not.toContain('Says 100 requests.');

  await job.message('And a page about it.');
  await job.settled();
  const afterThird = await github.pullRequest(number);
  expect(afterThird.title).toBe('Raise the limit');
  expect(afterThird.body).toContain('Says 200, with a page about it.\n\n## Later changes\n\n- Added a page.');
  expect(afterThird.body?.match(/> (Make it 100 at first|Rather 200|And a page about it)\./g)).toHaveLength(3);
  expect(afterThird.body?.match(/pagewright:start/g)).toHaveLength(1);
  expect(afterThird.body?.endsWith(`<!-- pagewright:job ${job.id} -->`)).toBe(true);

  const runs = await job.runs();
  const comments = await github.comments(number);
  expect(comments.map(({ body }) => body)).toEqual(
    runs.slice(1).map((run) => {
      const [summary] = run.number === 2 ? ['It is 200 now.'] : ['Added a page.'];
      const url = `${world.github.webUrl}/acme/docs/commit/${run.commit}`;
      return `${summary}\n\nCommit: ${url}\n\n<!-- pagewright:${run.id}:comment -->`;
    }),
  );
  expect(await github.commits(first.source.ref)).toEqual(runs.map(({ commit }) => commit).toReversed());
  const opened = (await github.pullRequests()).filter(({ head }) => head.ref === first.source.ref);
  expect(opened).toHaveLength(1);
  expect(world.github.duplicates()).toEqual([]);
});

test.concurrent('promise 13: a later run that changes nothing pushes nothing, and answers in a comment without a commit', async () => {
  const { github } = shop;
  const job = await shop.create('Make it 100, rightly.', [oneRun, steps([finish('It is right as it is.')])]);
  const { source } = await job.settled();
  const number = await job.number();
  const before = await github.pullRequest(number);
  await job.message('Is it right?');
  expect(await job.settled()).toMatchObject({ status: 'completed', prLink: before.html_url });

  const runs = await job.runs();
  expect(runs[1]).toMatchObject({ code: 'unchanged', commit: null });
  expect(await github.commits(source.ref)).toEqual([runs[0]?.commit]);
  expect(await github.pullRequest(number)).toMatchObject({ title: before.title, body: before.body });
  const [comment, ...more] = await github.comments(number);
  expect(more).toEqual([]);
  expect(comment?.body).toContain('It is right as it is.');
  expect(comment?.body).not.toContain('Commit:');
});
