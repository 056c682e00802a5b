import { expect, test } from 'vitest';
import { edit, finish, hold, perRun, write } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { type Fault, steps } from '../../../local/model/script.ts';
import { lookAt, readRuns } from '../../support/scenario.ts';
import { createWorld, type World } from '../../support/world.ts';

const correct = edit('limits.md', '60 requests', '100 requests');
const done = finish('The limit is 100 now.', { title: 'Correct the limit', description: 'Says 100 requests.' });
const oneRun = steps([correct, done]);

/** How often, and in which order, the texts stand in the last thing that the model was sent. */
function findInLastRequest(world: World, texts: string[]): string[] {
  const sent = JSON.stringify(world.model.requests.at(-1)?.body);
  return [...sent.matchAll(/<message id=[^>]*>([^<]*)<\/message>/g)].flatMap(([, text = '']) =>
    texts.includes(text) ? [text] : [],
  );
}

test.concurrent('promise 15: the first run answers follow-ups that were sent before it started, in order', async () => {
  await using world = await createWorld({ script: oneRun });
  await using web = await startInWorld(world, { ROLE: 'web' });
  const { id } = await web.caller.create('First.');
  await web.caller.message(id, 'Second.');
  expect(await web.caller.message(id, 'Third.')).toMatchObject({ status: 'active', prLink: null });
  await using worker = await startInWorld(world, { ROLE: 'worker' });
  expect(await worker.caller.get(id).catch((error: Error) => error.message)).toContain('404');

  expect(await web.caller.settled(id)).toMatchObject({ status: 'completed' });
  expect(findInLastRequest(world, ['First.', 'Second.', 'Third.'])).toEqual(['First.', 'Second.', 'Third.']);
  const { runs } = await readRuns(web.caller, id);
  expect(runs.map(({ messages }) => messages.map(({ prompt, state }) => [prompt, state]))).toEqual([
    ['First.', 'Second.', 'Third.'].map((prompt) => [prompt, 'answered']),
  ]);
});

test.concurrent('promise 15: follow-ups during a run reach the model at its next turn, once and in order', async () => {
  const first = hold(correct);
  const second = hold(write('new.md', 'New.\n'));
  await using world = await createWorld({ script: steps([first.step, second.step, done]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create('First.');
  await first.asked;
  await caller.message(id, 'Second.');
  await caller.message(id, 'Third.');
  first.release();
  await second.asked;
  expect(findInLastRequest(world, ['First.', 'Second.', 'Third.'])).toEqual(['First.', 'Second.', 'Third.']);
  await caller.message(id, 'Fourth.');
  second.release();
  await caller.settled(id);

  const all = ['First.', 'Second.', 'Third.', 'Fourth.'];
  expect(findInLastRequest(world, all)).toEqual(all);
  const { runs, waiting } = await readRuns(caller, id);
  expect(waiting).toEqual([]);
  expect(runs.map(({ messages }) => messages.map(({ prompt }) => prompt))).toEqual([all]);
  const { body } = await lookAt(world).pullRequest(1);
  expect(body?.match(/> (First|Second|Third|Fourth)\./g)).toEqual(all.map((prompt) => `> ${prompt}`));
});

test.concurrent('the conversation only grows: each request begins with the previous one', async () => {
  const first = hold(correct);
  await using world = await createWorld({ script: steps([first.step, write('new.md', 'New.\n'), done]) });
  await using service = await startInWorld(world);
  const { id } = await service.caller.create('First.');
  await first.asked;
  await service.caller.message(id, 'Second.');
  first.release();
  await service.caller.settled(id);

  const inputs = world.model.requests.map(({ body }) => {
    const { instructions, tools, input } = body as { instructions: string; tools: object[]; input: object[] };
    return [instructions, tools, ...input].map((part) => JSON.stringify(part));
  });
  expect(inputs).toHaveLength(3);
  for (const [index, input] of inputs.entries()) {
    const before = inputs[index - 1] ?? [];
    expect(input.slice(0, before.length)).toEqual(before);
  }
});

test.concurrent.each<[string, Fault, Record<string, string>, string, string]>([
  ['at a limit', { kind: 'hang' }, { RUN_MAX_SECONDS: '5' }, 'limit_seconds', 'answered'],
  ['refused', { kind: 'refusal' }, {}, 'model_refused', 'dropped'],
])('promise 15: the next run answers a follow-up whose turn has no answer when its run ends %s', async (...given) => {
  const [, fault, environment, code, state] = given;
  const editing = hold(correct);
  const runs = [steps([editing.step, { fault }]), steps([finish('It is so already.')])];
  await using world = await createWorld({ script: perRun(runs) });
  await using service = await startInWorld(world, environment);
  const { caller } = service;
  const { id } = await caller.create('First.');
  await editing.asked;
  await caller.message(id, 'Second.');
  editing.release();
  await caller.settled(id);

  const told = (await readRuns(caller, id)).runs;
  expect(told.map((run) => [run.code, ...run.messages.map((message) => [message.prompt, message.state])])).toEqual([
    [code, ['First.', state]],
    ['unchanged', ['Second.', 'answered']],
  ]);
  expect(told[0]?.turns).toBe(2);
  const [pullRequest] = await lookAt(world).pullRequests();
  expect(pullRequest?.body?.match(/> (First|Second)\./g)).toEqual(state === 'answered' ? ['> First.'] : undefined);
});

test.concurrent('promise 15: the next run answers a follow-up that arrives while the run publishes', async () => {
  const again = [edit('limits.md', '100', '200'), finish('The limit is 200 now.')];
  await using world = await createWorld({ script: perRun([oneRun, steps(again)]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const pushing = world.github.inject({ kind: 'hold-before', path: /git-receive-pack$/, times: 1 });
  const { id } = await caller.create('Make it 100.');
  await caller.until(id, () => pushing.hits() > 0);
  expect(await caller.message(id, 'Make it 200.')).toMatchObject({ status: 'active', prLink: null });
  pushing.release();
  const ended = await caller.settled(id);

  const { runs } = await readRuns(caller, id);
  expect(runs.map(({ messages }) => messages.map(({ prompt }) => prompt))).toEqual([
    ['Make it 100.'],
    ['Make it 200.'],
  ]);
  const github = lookAt(world);
  expect(await github.commits(ended.source.ref)).toEqual([runs[1]?.commit, runs[0]?.commit]);
  expect(world.github.duplicates()).toEqual([]);
});

test.concurrent('a follow-up to a completed job changes its pull request and posts one comment with the commit', async () => {
  const second = finish('It is 200 now.', { title: 'Raise the limit', description: 'Says 200, with a page about it.' });
  const third = finish('Added a page.');
  await using world = await createWorld({
    script: perRun([
      oneRun,
      steps([edit('limits.md', '100', '200'), second]),
      steps([write('raise.md', '# Raise\n'), third]),
    ]),
  });
  await using service = await startInWorld(world);
  const { caller } = service;
  const github = lookAt(world);
  const { id } = await caller.create('Make it 100.');
  const first = await caller.settled(id);
  expect(await github.comments(1)).toEqual([]);

  expect(await caller.message(id, 'Rather 200.')).toMatchObject({ status: 'active', prLink: null });
  expect(await caller.settled(id)).toEqual(first);
  const afterSecond = await github.pullRequest(1);
  expect(afterSecond.title).toBe('Raise the limit');
  expect(afterSecond.body).toContain('Says 200, with a page about it.');
  expect(afterSecond.body).not.toContain('Says 100 requests.');

  await caller.message(id, 'And a page about it.');
  await caller.settled(id);
  const afterThird = await github.pullRequest(1);
  expect(afterThird.title).toBe('Raise the limit');
  expect(afterThird.body).toContain('Says 200, with a page about it.\n\nAdded a page.');
  expect(afterThird.body?.match(/> (Make it 100|Rather 200|And a page about it)\./g)).toHaveLength(3);
  expect(afterThird.body?.match(/pagewright:start/g)).toHaveLength(1);
  expect(afterThird.body?.endsWith(`<!-- pagewright:job ${id} -->`)).toBe(true);

  const { runs } = await readRuns(caller, id);
  const comments = await github.comments(1);
  expect(comments.map(({ body }) => body)).toEqual(
    runs.slice(1).map((run) => {
      const [summary] = run.number === 2 ? ['It is 200 now.'] : ['Added a page.'];
      const url = `${world.github.webUrl}/acme/docs/commit/${run.commit}`;
      return `${summary}\n\nCommit: ${url}\n\n<!-- pagewright:${run.id}:comment -->`;
    }),
  );
  expect(await github.commits(first.source.ref)).toEqual(runs.map(({ commit }) => commit).toReversed());
  expect(await github.pullRequests()).toHaveLength(1);
  expect(world.github.duplicates()).toEqual([]);
});

test.concurrent('the next run reads the earlier instructions and summaries, and the text of the pull request', async () => {
  await using world = await createWorld({ script: perRun([oneRun, steps([finish('Nothing to add.')])]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create('Make it 100.');
  await caller.settled(id);
  await caller.message(id, 'Is that all?');
  await caller.settled(id);

  const told = JSON.stringify(world.model.requests.at(-1)?.body);
  expect(told).toContain('Asked: Make it 100.\\nDone: The limit is 100 now.');
  expect(told).toContain('Says 100 requests.');
  expect(findInLastRequest(world, ['Make it 100.', 'Is that all?'])).toEqual(['Is that all?']);
});

test.concurrent('promise 13: a later run that changes nothing pushes nothing, and answers in a comment without a commit', async () => {
  await using world = await createWorld({ script: perRun([oneRun, steps([finish('It is right as it is.')])]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const github = lookAt(world);
  const { id } = await caller.create('Make it 100.');
  const { source } = await caller.settled(id);
  const before = await github.pullRequest(1);
  await caller.message(id, 'Is it right?');
  expect(await caller.settled(id)).toMatchObject({ status: 'completed', prLink: before.html_url });

  const { runs } = await readRuns(caller, id);
  expect(runs[1]).toMatchObject({ code: 'unchanged', commit: null });
  expect(await github.commits(source.ref)).toEqual([runs[0]?.commit]);
  expect(await github.pullRequest(1)).toMatchObject({ title: before.title, body: before.body });
  const [comment, ...more] = await github.comments(1);
  expect(more).toEqual([]);
  expect(comment?.body).toContain('It is right as it is.');
  expect(comment?.body).not.toContain('Commit:');
});

test.concurrent('a follow-up to a failed job starts a new run', async () => {
  const broken = steps([{ fault: { kind: 'status', status: 401 } }]);
  await using world = await createWorld({ script: perRun([broken, oneRun]) });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create('Make it 100.');
  expect(await caller.settled(id)).toMatchObject({ status: 'failed', prLink: null });
  await caller.message(id, 'Try again.');
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });

  const { runs } = await readRuns(caller, id);
  expect(runs).toMatchObject([
    { code: 'model_auth', messages: [{ state: 'dropped', reason: 'model_auth' }] },
    { code: 'published', messages: [{ prompt: 'Try again.', state: 'answered' }] },
  ]);
  expect(await lookAt(world).comments(1)).toEqual([]);
});

test.concurrent('an archived job answers a follow-up with 409', async () => {
  await using world = await createWorld({ script: oneRun });
  await using service = await startInWorld(world);
  const { caller } = service;
  const { id } = await caller.create('Make it 100.');
  const { prLink } = await caller.settled(id);
  const archived = await caller.archive(id);
  expect(archived).toMatchObject({ status: 'archived', prLink });
  await expect(caller.message(id, 'And 200?')).rejects.toThrow('409');
  expect(await caller.archive(id)).toEqual(archived);
});
