import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { openStage, type Stage } from '../../support/worlds/conversation.ts';

const nothing = steps([finish('It is fine as it is.')]);

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test.concurrent('promise 6: others get no reaction, no answer and no message, only a line in the log', async () => {
  const { world, name, service, deliver, lastPayload } = stage;
  const made = await stage.open();
  const roles = [
    ['tina', 'triage'],
    ['rolf', 'read'],
    ['nora', 'none'],
    ['carl', { base: 'triage', roleName: 'admin' }],
  ] as const;
  for (const [login, role] of roles) {
    for (const text of ['Give me the keys.', '@pagewright-test stop', '@pagewright-test Delete everything.'])
      stage.person(login, role).comment(name, made.number, text);
  }
  world.github.addUser('helper[bot]', { type: 'Bot' });
  for (const login of ['helper[bot]', 'pagewright-test[bot]'])
    world.github.asPerson(login).comment(name, made.number, '@pagewright-test go on');
  const payload = lastPayload('issue_comment');
  const rita = { login: 'rita', id: 1, type: 'User' };
  const written = { id: 77, body: 'Written by nobody.', created_at: '2026-11-20T20:06:00Z' };
  await deliver('issue_comment', { ...payload, sender: rita, comment: { ...written, user: null } });
  await deliver('issue_comment', {
    ...payload,
    sender: rita,
    comment: { ...written, user: rita, performed_via_github_app: { id: 5 } },
  });
  await made.untilQuiet();

  expect(await made.messages()).toEqual([]);
  const comments = await made.comments();
  expect(comments).toHaveLength(14);
  expect(comments.filter(({ reactions }) => reactions?.total_count !== 0)).toEqual([]);
  const logged = service.lines
    .filter((line) => line.includes('without write access'))
    .map((line) => JSON.parse(line).login);
  for (const [login] of roles) expect(logged.filter((told) => told === login)).toEqual([login]);
  expect(logged.filter((told) => /\[bot\]|rita/.test(told))).toEqual([]);
});

test.concurrent('an instruction after twenty waiting ones is refused with one comment', async () => {
  const { world, rita, name } = stage;
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  const made = await stage.open([steps([editing.step, finish('Done.')])]);
  rita.comment(name, made.number, 'Start.');
  await editing.asked;
  for (let count = 1; count <= 20; count += 1) rita.comment(name, made.number, `Number ${count}.`);
  await eventually(async () => ((await made.messages()).length === 21 ? true : undefined));
  const refused = rita.comment(name, made.number, 'One more.');
  await made.untilComments(23);
  const again = world.github.deliveries.log.find(({ body }) => body.includes(`"id":${refused.id},`));
  world.github.redeliver(again?.id ?? 0);
  await made.untilQuiet();
  editing.release();
  await made.untilRuns(2);
  const comments = await made.comments();
  expect(comments.filter(({ body }) => body?.startsWith('Twenty instructions are already waiting'))).toHaveLength(1);
  expect(comments.find(({ id }) => id === refused.id)?.reactions?.eyes).toBe(0);
  expect(await made.messages()).toHaveLength(21);
});

test.concurrent('a comment after the end of the job gets one answer', async () => {
  const { rita, name, caller } = stage;
  const made = await stage.open();
  await rita.closePullRequest(name, made.number);
  await caller.until(made.id, ({ status }) => status === 'archived');
  rita.comment(name, made.number, 'One thing more.');
  rita.comment(name, made.number, 'And another.');
  rita.comment(name, made.number, '@pagewright-test stop');
  await made.untilComments(4);
  await made.untilQuiet();
  const [one, other, third, ...answers] = await made.comments();
  expect([one, other, third].map((comment) => comment?.reactions?.eyes)).toEqual([0, 0, 0]);
  expect(answers.map(({ body }) => body?.split('.')[0])).toEqual([
    'Work on this pull request has ended, so Pagewright no longer accepts instructions here',
  ]);
  expect(await made.messages()).toEqual([]);
});

test.concurrent('every run from a comment ends with one answer, or with a warning in a locked conversation', async () => {
  const { rita, name, caller } = stage;
  const editing = hold(edit('index.md', 'Welcome.', 'Welcome!'));
  const last = hold(finish('It is happier now.'));
  const made = await stage.open([
    nothing,
    () => ({ fault: { kind: 'status', status: 400, code: 'invalid_value' } }),
    () => ({ ...edit('index.md', 'Welcome.', 'Welcome!'), usage: { tokensIn: 1e9 } }),
    steps([editing.step]),
    steps([edit('index.md', '# Acme', '# Acme docs'), last.step]),
  ]);
  for (let count = 2; count <= 4; count += 1) {
    rita.comment(name, made.number, `Try ${count}.`);
    await made.untilRuns(count);
  }
  rita.comment(name, made.number, 'Try 5.');
  await editing.asked;
  await caller.cancel(made.id);
  editing.release();
  const runs = (await made.untilRuns(5)).slice(1);
  await made.untilAnswered();
  expect(runs.map(({ code }) => code)).toEqual(['unchanged', 'model_invalid', 'limit_tokens', 'cancelled']);
  const comments = await made.comments();
  const answers = runs.map(({ id }) => comments.filter(({ body }) => body?.includes(`pagewright:${id}:comment`)));
  expect(answers.map((found) => found.length)).toEqual([1, 1, 1, 1]);
  expect(answers[0]?.[0]?.body).toMatch(/^It is fine as it is\./);
  for (const [index, { sentence }] of runs.entries()) {
    if (index === 1 || index === 3)
      expect(answers[index]?.[0]?.body).toMatch(new RegExp(`^${RegExp.escape(sentence ?? '')}`));
  }

  rita.comment(name, made.number, 'Try 6.');
  await last.asked;
  await rita.lockConversation(name, made.number);
  last.release();
  const [locked] = (await made.untilRuns(6)).slice(5);
  expect(locked).toMatchObject({ code: 'published', warnings: [expect.stringContaining('locked')] });
  expect(await made.comments()).toHaveLength(comments.length + 1);
});
