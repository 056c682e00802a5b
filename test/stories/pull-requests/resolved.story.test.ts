import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { listen, openStage, type Stage } from '../../support/worlds/conversation.ts';

const cheerUp = edit('index.md', 'Welcome.', 'Welcome!');
const limits = 'limits.md';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test.concurrent('a remark whose thread is resolved before it is taken up is neither an instruction nor answered', async () => {
  const { rita, name } = stage;
  const { heard, listening } = listen(steps([cheerUp, finish('It is happier now.')]));
  const made = await stage.open([listening]);
  const resolved = await rita.commentOnLine(name, made.number, { path: limits, line: 1, body: 'No full stop?' });
  rita.resolveThread(name, resolved.id);
  await made.untilQuiet();
  expect(await made.messages()).toEqual([]);
  await rita.commentOnLine(name, made.number, { path: limits, line: 3, body: 'Per minute?' });
  await made.untilRuns(2);
  await made.untilAnswered();
  expect(heard[0]).not.toContain('No full stop?');
  const answers = (await made.threads()).filter(({ author }) => author !== 'rita');
  expect(answers.map(({ rootId }) => rootId)).toEqual([expect.not.toSatisfy((id: number) => id === resolved.id)]);
});

test.concurrent('threads resolved while their review waits are shown as resolved; those resolved during the run get no reply', async () => {
  const { rita, name } = stage;
  const editing = hold(cheerUp);
  const finishing = hold(finish('It is happier now.'));
  const { heard, listening } = listen(
    steps([
      editing.step,
      (request) => {
        heard.push(request.messages.map(({ text }) => text).join('\n'));
        return finishing.step(request);
      },
    ]),
  );
  const made = await stage.open([listening]);
  rita.comment(name, made.number, 'Happier, please.');
  await editing.asked;
  const comments = ['No full stop?', 'Really?', 'Why?'].map((body) => ({ path: limits, line: 1, body }));
  await rita.review(name, made.number, { comments });
  const [early, late, open] = await eventually(async () => {
    const [message] = (await made.messages()).slice(1);
    return message && (await made.threads()).map(({ id }) => id);
  });
  rita.resolveThread(name, early ?? 0);
  editing.release();
  await finishing.asked;
  rita.resolveThread(name, late ?? 0);
  finishing.release();
  await made.untilRuns(2);
  await made.untilAnswered();
  expect(heard[1]).toContain(`<thread id="thread_${early}">(Somebody has resolved this thread: do nothing for it.)`);
  expect(heard[1]).not.toContain('No full stop?');
  expect(heard[1]).toContain('Really?');
  const answers = (await made.threads()).filter(({ author }) => author !== 'rita');
  expect(answers.map(({ rootId }) => rootId)).toEqual([open]);
});

test.concurrent('promise 13: a suggestion that people committed is theirs: the next run builds on it', async () => {
  const { rita, name, github } = stage;
  const { heard, listening } = listen(steps([edit(limits, 'an hour', 'a day'), finish('Says a day.')]));
  const made = await stage.open([listening]);
  const suggestion = '# Limits\n\n100 requests an hour.\n';
  const message = 'Update limits.md\n\nCo-authored-by: Walt <walt@example.com>';
  const committed = await rita.pushCommit(name, made.branch, { [limits]: suggestion }, message);
  rita.comment(name, made.number, 'A day, not an hour.');
  const [, second] = await made.untilRuns(2);
  await made.untilAnswered();
  expect(heard).toHaveLength(1);
  expect(await github.commits(made.branch)).toEqual([second?.commit, committed, expect.any(String)]);
  expect(await github.file(made.branch, limits)).toBe('# Limits\n\n100 requests a day.');
});
