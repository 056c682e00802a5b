import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { steps } from '../../../local/model/script.ts';
import { catchUp, createParts } from '../../deliveries/create-parts.ts';
import { openConversation, openStage, type Stage } from '../../support/worlds/conversation.ts';
import { readRuns } from '../../support/worlds/scenario.ts';

const cheerUp = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('It is happier now.')]);
const always = Number.POSITIVE_INFINITY;

/** The lists of open pull requests that GitHub was asked for, as it answered. */
const listStatuses = ({ world }: Stage) =>
  world.github.requests
    .filter(({ route, query }) => route === 'GET /repos/:owner/:repo/pulls' && query.state === 'open')
    .map(({ status }) => status);

test.concurrent('promise 8: a service that was down for a week updates its jobs from their pull requests', async () => {
  await using stage = await openStage();
  const { world, service, caller, name, rita } = stage;
  const [merged, closed, reopened, retargeted, untouched] = await Promise.all(
    Array.from({ length: 5 }, () => stage.open([cheerUp])),
  );
  if (!merged || !closed || !reopened || !retargeted || !untouched) throw new Error('there are five');
  await rita.closePullRequest(name, reopened.number);
  await caller.until(reopened.id, ({ status }) => status === 'archived');
  await service[Symbol.asyncDispose]();

  // After three days GitHub no longer knows what it could not deliver.
  world.github.deliveries.drop(() => true, always);
  await rita.mergePullRequest(name, merged.number);
  await rita.closePullRequest(name, closed.number);
  await rita.reopenPullRequest(name, reopened.number);
  await rita.pushCommit(name, 'next', { 'new.md': 'New.\n' }, 'Next');
  await rita.editPullRequest(name, retargeted.number, { base: 'next' });
  rita.comment(name, untouched.number, 'Nobody will know of this.');
  await sql`update watermarks set moment = moment - interval '1 week'`.execute(world.database.database);

  await using awake = await startInWorld(world);
  const all = [merged, closed, reopened, retargeted, untouched];
  const wanted = ['archived', 'archived', 'completed', 'completed', 'completed'];
  await eventually(async () => {
    const statuses = await Promise.all(all.map(async ({ id }) => (await awake.caller.get(id)).status));
    const bases = await world.database.database
      .selectFrom('jobs')
      .select('base')
      .where('job_id', '=', retargeted.id)
      .execute();
    return (statuses.join() === wanted.join() && bases[0]?.base === 'next') || undefined;
  });
  await awake.caller.message(reopened.id, 'Happier, please.');
  await awake.caller.settled(reopened.id);
  const { runs } = await readRuns(awake.caller, reopened.id);
  expect(runs).toMatchObject([{ code: 'published' }, { code: 'published' }]);
  expect(await untouched.messages()).toEqual([]);
});

test.concurrent('promise 8: the service requests missed deliveries at its start, and answers each comment once, in order', async () => {
  await using made = await openConversation({ later: [cheerUp, steps([finish('It is short.')])] });
  const { world, service, name, number, rita } = made;
  await service[Symbol.asyncDispose]();
  rita.comment(name, number, 'Happier, please.');
  rita.comment(name, number, 'And shorter.');
  await world.github.deliveries.settled();
  const failed = world.github.deliveries.log.filter(
    ({ event, status }) => event === 'issue_comment' && status === 'no answer',
  );
  expect(failed).toHaveLength(2);

  await using awake = await startInWorld(world);
  await eventually(async () => (await made.messages()).length === 2 || undefined);
  await made.untilQuiet();
  await awake.caller.settled(made.id);
  // Asking again for what has come by now, or comes once more, changes nothing.
  await catchUp(createParts(world));
  for (const { id } of failed) world.github.redeliver(id);
  await made.untilQuiet();
  const messages = await made.messages();
  expect(messages.map(({ prompt, state }) => [prompt, state])).toEqual([
    ['Happier, please.', 'answered'],
    ['And shorter.', 'answered'],
  ]);
  expect(world.github.duplicates()).toEqual([]);
});

test.concurrent('comparing unchanged pull requests costs no rate limit, and changes between two comparisons are found', async () => {
  await using stage = await openStage();
  const { world, caller, name, rita } = stage;
  const parts = createParts(world);
  const closed = await stage.open();
  await rita.closePullRequest(name, closed.number);
  await caller.until(closed.id, ({ status }) => status === 'archived');
  await catchUp(parts);
  const before = listStatuses(stage).length;
  await catchUp(parts);
  await catchUp(parts);
  expect(listStatuses(stage).slice(before)).toEqual([304, 304]);

  // Opened and merged since, it leaves the same list of open ones: none.
  const passing = await stage.open();
  world.github.deliveries.drop(() => true, always);
  await rita.mergePullRequest(name, passing.number);
  await catchUp(parts);
  expect(await caller.get(passing.id)).toMatchObject({ status: 'archived' });
});

test.concurrent('promise 8: of two concurrent processes, one compares and requests deliveries', async () => {
  await using made = await openConversation({ later: [cheerUp] });
  const { world, caller, id, name, number, rita } = made;
  const other = await made.open([cheerUp]);
  world.github.deliveries.fail(({ event }) => event === 'issue_comment');
  world.github.deliveries.drop(({ event }) => event === 'pull_request');
  rita.comment(name, other.number, 'Happier, please.');
  await rita.closePullRequest(name, number);
  await using _second = await startInWorld(world);
  await Promise.all([catchUp(createParts(world)), catchUp(createParts(world))]);
  await other.untilRuns(2);
  await other.untilQuiet();
  expect(await caller.get(id)).toMatchObject({ status: 'archived' });
  expect(await other.messages()).toMatchObject([{ prompt: 'Happier, please.', state: 'answered' }]);
  expect(world.github.duplicates()).toEqual([]);
});
