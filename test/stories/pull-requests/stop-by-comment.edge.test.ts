import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { openStage, type Stage } from '../../support/worlds/conversation.ts';

const cheerUp = edit('index.md', 'Welcome.', 'Welcome!');
const done = finish('It is happier now.');
const stop = '@pagewright-test stop';
const stopped = 'Stopped on request. Changes pushed before that are kept.';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3600_000).toISOString();

/** A delivery of a comment of Rita's that was written then. */
async function deliverLate(number: number, { body, writtenAt }: { body: string; writtenAt: string }) {
  const { issue, ...payload } = stage.lastPayload('issue_comment');
  const { account } = stage.rita;
  const comment = { id: Math.trunc(performance.now() * 1000), body, user: account, created_at: writtenAt };
  await stage.deliver('issue_comment', { ...payload, issue: { ...Object(issue), number }, comment, sender: account });
}

test.concurrent('a comment from before a stop is not started, even if it is delivered late; a later comment is started', async () => {
  const { rita, name, caller } = stage;
  const editing = hold(cheerUp);
  const made = await stage.open([steps([editing.step, done])]);
  rita.comment(name, made.number, '@pagewright-test cancel');
  const [, idle] = await made.untilComments(2);
  expect(idle?.body).toMatch(/^There is no work in progress to stop\./);
  await deliverLate(made.number, { body: 'Older than that.', writtenAt: hoursAgo(1) });
  await made.untilQuiet();
  expect(await made.messages()).toEqual([]);

  const other = await stage.open([steps([editing.step, done])]);
  rita.comment(name, other.number, 'Happier, please.');
  await editing.asked;
  await deliverLate(other.number, { body: stop, writtenAt: hoursAgo(2) });
  await other.untilQuiet();
  expect((await other.comments())[1]?.body).toMatch(/^This stop arrived late: the current work was requested after it/);
  editing.release();
  const [, second] = await other.untilRuns(2);
  expect(second).toMatchObject({ code: 'published' });
  expect(await caller.get(made.id)).toMatchObject({ status: 'completed' });
});

test.concurrent('a run that is publishing finishes after a stop, waiting comments are not started, and both get answers', async () => {
  const { world, rita, name } = stage;
  const made = await stage.open([steps([cheerUp, done])]);
  // Also those of the jobs beside it.
  const pushes = { method: 'POST', path: /\/git-receive-pack$/, times: Number.POSITIVE_INFINITY } as const;
  const pushing = world.github.inject({ ...pushes, kind: 'hold-before' });
  rita.comment(name, made.number, 'Happier, please.');
  await eventually(async () => ((await made.runs())[1]?.status === 'publishing' ? true : undefined));
  const remark = await rita.commentOnLine(name, made.number, { path: 'limits.md', line: 3, body: 'Per minute?' });
  await eventually(async () => ((await made.messages()).length === 2 ? true : undefined));
  rita.comment(name, made.number, stop);
  await eventually(async () => ((await made.messages())[1]?.state === 'dropped' ? true : undefined));
  pushing.remove();
  const [, second] = await made.untilRuns(2);
  await made.untilAnswered();

  expect(second).toMatchObject({
    code: 'published',
    messages: [{ state: 'answered' }, { state: 'dropped', reason: 'cancelled_while_publishing' }],
  });
  const why =
    'Stopped on request. Pagewright finishes publishing the current changes, and drops every other instruction written before the stop.';
  const bodies = (await made.comments()).map(({ body }) => body?.split('\n')[0]);
  expect(bodies.toSorted()).toEqual(['Happier, please.', 'It is happier now.', stop, why].toSorted());
  const threads = await stage.github.reviewComments(made.number);
  expect(threads.map(({ in_reply_to_id: rootId, body }) => [rootId, body.split('\n')[0]])).toEqual([
    [undefined, 'Per minute?'],
    [remark.id, `The agent did not answer this comment. ${why}`],
  ]);
});

// One after the other, for they are about time.
test('a stop ends the run within two seconds with one answer, without the model; pushed commits stay', async () => {
  const { world, rita, name, github } = stage;
  const editing = hold(cheerUp);
  const made = await stage.open([steps([editing.step, done])]);
  rita.comment(name, made.number, 'Happier, please.');
  await editing.asked;
  stage.person('rudi', 'read').comment(name, made.number, stop);
  await made.untilQuiet();
  expect((await made.runs())[1]).toMatchObject({ status: 'working' });

  rita.comment(name, made.number, 'And shorter.');
  await eventually(async () => ((await made.messages()).length === 2 ? true : undefined));
  const asked = world.model.requests.length;
  const said = rita.comment(name, made.number, `${stop}, please`);
  const [, second] = await made.untilRuns(2);
  const delivery = world.github.deliveries.log.find(
    ({ event, body }) => event === 'issue_comment' && body.includes(`"id":${said.id},`),
  );
  const { ended_at: endedAt } = await world.database.database
    .selectFrom('runs')
    .select('ended_at')
    .where('run_id', '=', second?.id ?? '')
    .executeTakeFirstOrThrow();
  expect((endedAt?.getTime() ?? Infinity) - (delivery?.at.getTime() ?? 0)).toBeLessThan(2_000);
  editing.release();
  await made.untilAnswered();

  expect(second).toMatchObject({ code: 'cancelled', sentence: stopped, commit: null });
  expect(second?.messages.map(({ state, reason }) => [state, reason])).toEqual(Array(2).fill(['dropped', 'cancelled']));
  const texts = world.model.requests.slice(asked).map(({ body }) => JSON.stringify(body));
  expect(texts.filter((text) => text.includes(second?.messages[0]?.id ?? ''))).toEqual([]);
  expect(await github.commits(made.branch)).toHaveLength(1);
  const comments = await made.comments();
  expect(comments.map(({ body, reactions }) => [body?.split('\n')[0], reactions?.eyes])).toEqual([
    ['Happier, please.', 1],
    [stop, 0],
    ['And shorter.', 1],
    [`${stop}, please`, 1],
    [stopped, 0],
  ]);
});

test('a review with stop in its text or in a remark stops the run at once', async () => {
  const { rita, name, github } = stage;
  const remarks = ['Shorter, please.', `${stop}!`].map((body) => ({ path: 'limits.md', line: 3, body }));
  const reviews = [{ body: stop, comments: remarks.slice(0, 1) }, { comments: remarks }];
  const stoppedBy = async (review: Parameters<typeof rita.review>[2]) => {
    const editing = hold(cheerUp);
    const made = await stage.open([steps([editing.step])]);
    rita.comment(name, made.number, 'Happier, please.');
    await editing.asked;
    const saidAt = performance.now();
    await rita.review(name, made.number, review);
    const runs = await made.untilRuns(2);
    expect(performance.now() - saidAt).toBeLessThan(2_000);
    expect(runs[1]).toMatchObject({ code: 'cancelled' });
    editing.release();
    return made;
  };
  const [byText, byRemark] = [await stoppedBy(reviews[0] ?? {}), await stoppedBy(reviews[1] ?? {})];
  for (const made of [byText, byRemark]) {
    await made.untilQuiet();
    expect(await made.messages()).toHaveLength(1);
    const bodies = (await made.comments()).map(({ body }) => body?.split('\n')[0]);
    expect(bodies).toEqual(['Happier, please.', stopped]);
  }
  expect((await github.reviewComments(byRemark.number))[1]).toMatchObject({ reactions: { eyes: 1 } });
});
