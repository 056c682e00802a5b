import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { edit, finish, hold, perRun } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { cancelJob, cancelled } from '../../../src/jobs/cancel-job.ts';
import { beginRun } from '../../../src/runs/execute-run.ts';
import { claimJob } from '../../../src/store/schedule/claim-job.ts';
import { releaseLease } from '../../../src/store/schedule/lease.ts';
import { oneRun } from '../../support/worlds/correction.ts';
import { openJournal } from '../../support/worlds/open-journal.ts';
import { lookAt, readRuns, untilRunIs } from '../../support/worlds/scenario.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';

const cheerUp = edit('index.md', 'Welcome.', 'Welcome!');

/** The comments on the pull request once there are some: a failure is told soon after the run has ended, not with it. */
const untilComments = (world: World) =>
  eventually(async () => {
    const comments = await lookAt(world).comments(1);
    return comments.length > 0 ? comments : undefined;
  });

/** A world whose job has its pull request already; `later` is what the model does in the run after that. */
async function openPullRequest(later: Script) {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await createWorld({ script: perRun([oneRun, later]) }));
  const service = cleanup.use(await startInWorld(world));
  const { caller } = service;
  const { id } = await caller.create('Make it 100.');
  const { source } = await caller.settled(id);
  const held = cleanup.move();
  const github = lookAt(world);
  return {
    world,
    service,
    caller,
    id,
    branch: source.ref,
    github,
    /** The run ended so, and one comment says it. */
    async expectTold(end: { code: string; sentence: string }) {
      expect(await caller.settled(id)).toMatchObject({ status: 'failed', source });
      const { runs } = await readRuns(caller, id);
      expect(runs).toMatchObject([{ code: 'published' }, end]);
      const text = `${end.sentence}\n\n<!-- pagewright:${runs[1]?.id}:comment -->`;
      expect((await untilComments(world)).map(({ body }) => body)).toEqual([text]);
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

test('a run that GitHub refuses is reported on its pull request', async () => {
  await using made = await openPullRequest(steps([cheerUp, finish('Happier.')]));
  const { world, caller, id, expectTold } = made;
  const body = { message: 'Repository access blocked' };
  const path = /^\/repos\/acme\/docs\/pulls\/1$/;
  const refusing = world.github.inject({ method: 'GET', path, kind: 'answer', status: 451, body });
  await caller.message(id, 'Happier, please.');
  await caller.settled(id);
  const [, failed] = (await readRuns(caller, id)).runs;
  expect(failed?.sentence).toContain('Repository access blocked');
  await expectTold({ code: 'github_refused', sentence: failed?.sentence ?? '' });
  expect(refusing.hits()).toBe(1);
});

test('a run that is cancelled during a model request is reported on its pull request', async () => {
  const editing = hold(cheerUp);
  await using made = await openPullRequest(steps([editing.step, finish('Happier.')]));
  const { caller, id, branch, github, expectTold } = made;
  await caller.message(id, 'Happier, please.');
  await editing.asked;
  await caller.cancel(id);
  await expectTold(cancelled);
  editing.release();
  expect(await github.commits(branch)).toHaveLength(1);
});

test('a run that is cancelled while it publishes ends when a person’s push would send it back', async () => {
  await using made = await openPullRequest(steps([cheerUp, finish('Happier.')]));
  const { world, caller, id, branch, github, expectTold } = made;
  const pushing = world.github.inject({ method: 'POST', path: /\/git-receive-pack$/, kind: 'hold-before' });
  await caller.message(id, 'Happier, please.');
  await untilRunIs(caller, id, 'publishing');
  await eventually(() => pushing.hits() || undefined);
  expect(await caller.cancel(id)).toMatchObject({ status: 'active' });
  const rita = world.github.asPerson('rita');
  const theirs = await rita.pushCommit('acme/docs', branch, { 'index.md': '# Acme\n\nGood day.\n' }, 'By a person');
  pushing.release();
  await expectTold(cancelled);
  expect((await github.commits(branch))[0]).toBe(theirs);
  // Two for the first run, two for the second: it was not sent back to the model.
  expect(world.model.requests).toHaveLength(4);
});

test('the next worker ends a run that was cancelled before its wait, without a model request', async () => {
  await using made = await openPullRequest(() => ({
    fault: { kind: 'status', status: 429, headers: { 'retry-after': '120' } },
  }));
  const { world, service, id } = made;
  const { database, store } = world.database;
  await service[Symbol.asyncDispose]();
  await using web = await startInWorld(world, { ROLE: 'web' });
  await web.caller.message(id, 'Happier, please.');
  const lease = await claimJob(database, 'the first worker');
  const begun = lease && (await beginRun(store, lease));
  if (!lease || begun?.kind !== 'begun') throw new Error('there was nothing to work on');
  const journal = await openJournal(database, { lease, run: begun.run });
  await journal.openTurn(0, ['<earlier-run number="1">Correct the limit</earlier-run>']);
  await cancelJob(store, id);
  await releaseLease(database, lease, { delayMs: 120_000 });

  await using _worker = await startInWorld(world, { ROLE: 'worker' });
  expect(await web.caller.settled(id)).toMatchObject({ status: 'failed' });
  expect((await readRuns(web.caller, id)).runs).toMatchObject([{ code: 'published' }, cancelled]);
  expect(await untilComments(world)).toHaveLength(1);
  expect(world.model.requests).toHaveLength(2);
});
