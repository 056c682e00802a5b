import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../harness/eventually.ts';
import type { FaultRule } from '../../local/github/api/faults.ts';
import {
  type Answer,
  eyesOn,
  intendAnswer,
  type KeyedAnswer,
  previewEnd,
  previewStart,
} from '../../src/effects/answer.ts';
import { giveAnswer, giveUpAnswer } from '../../src/effects/give-answer.ts';
import { createGitHubLimits } from '../../src/projects/github-limits.ts';
import type { Queue } from '../../src/store/schedule/queue.ts';
import { writeBurst } from '../../src/store/schedule/take-write-slot.ts';
import { inTransaction } from '../../src/store/store.ts';
import { intendEffect, listEffects } from '../../src/store/tables/jobs/effects.ts';
import { updateJob } from '../../src/store/tables/jobs/jobs.ts';
import { findInstallation } from '../../src/store/tables/repositories/installations.ts';
import { findProjectOfJob } from '../../src/store/tables/repositories/projects.ts';
import { createParts } from '../deliveries/create-parts.ts';
import { makeJob } from '../support/databases/jobs.ts';
import { aboutAt } from '../support/values/about-at.ts';
import { lookAt } from '../support/worlds/scenario.ts';
import { createWorld, type World } from '../support/worlds/world.ts';

const { signal } = new AbortController();
const commenting = { method: 'POST', path: /\/issues\/\d+\/comments$/ } as const;
let world: World;
let parts: ReturnType<typeof createParts>;
let lastNumber = 0;
beforeAll(async () => {
  world = await createWorld({ script: () => ({}) });
  parts = createParts(world, { retryDelaysMs: [1, 1] });
});
beforeEach(async () => {
  await parts.database.updateTable('installations').set({ blocked_until: null }).execute();
  await parts.database.updateTable('effects').set({ state: 'refused' }).where('state', '=', 'intended').execute();
});
afterAll(() => world[Symbol.asyncDispose]());

const rita = () => world.github.asPerson('rita');
const suspend = (suspendedAt: Date | null) =>
  parts.database.updateTable('installations').set({ suspended_at: suspendedAt }).execute();
const countWrites = () =>
  world.github.requests.filter(({ method, path }) => method === 'POST' && !path.endsWith('/access_tokens')).length;

/** A pull request, a job that it belongs to, and what the queue puts up for it. */
async function openJob() {
  lastNumber += 1;
  const branch = `pagewright/x-${lastNumber}`;
  await rita().pushCommit('acme/docs', branch, { 'index.md': `# Acme ${lastNumber}\n` }, 'Change it');
  const { number } = await rita().openPullRequest('acme/docs', { title: 'Change it', head: branch, base: 'main' });
  const { job_id: jobId } = await makeJob(parts, world.projectId, 'completed');
  await updateJob(parts.database, jobId, { branch, pull_request_number: number });
  const sent: string[] = [];
  const delaysMs: number[] = [];
  const send: Queue['send'] = async (_tx, _name, entry, { delayMs = 0 } = {}) => {
    sent.push('key' in entry ? String(entry.key) : '');
    delaysMs.push(delayMs);
  };
  const queue = { ...parts.queue, send };
  const comment: KeyedAnswer = {
    key: 'run_1:comment',
    answer: { kind: 'comment', pullRequest: number, body: 'It is 100 now.' },
  };
  return {
    jobId,
    number,
    comment,
    /** The entries that were put up. */
    sent,
    /** After how long each of them. */
    delaysMs,
    intend: (answer: KeyedAnswer = comment) =>
      inTransaction({ ...parts, queue }, (store) => intendAnswer(store, { jobId, ...answer })),
    give: ({ key }: { key: string } = comment) => giveAnswer(parts, { jobId, key }, signal),
    comments: async () => (await lookAt(world).comments(number)).map(({ body }) => body),
    effect: async () => (await listEffects(parts.database, jobId))[0],
  };
}

/** Gives it until GitHub holds its write. Returns what lets the write pass, and waits for the end. */
async function giveHeld(give: () => Promise<unknown>, write: { method: 'POST'; path: RegExp } = commenting) {
  const held = world.github.inject({ ...write, kind: 'hold-before' });
  const giving = give();
  await eventually(() => held.hits() || undefined);
  return async () => {
    held.release();
    await giving;
  };
}

const body = 'It is 100 now.\n\n<!-- pagewright:run_1:comment -->';

test('promise 1: an answer is posted once, even if it is intended and queued several times', async () => {
  const { intend, give, comments, effect, sent, delaysMs } = await openJob();
  await intend();
  await intend();
  expect([sent, delaysMs]).toEqual([['run_1:comment'], [0]]);
  expect(await give()).toBeUndefined();
  const given = await effect();
  expect(given).toMatchObject({ state: 'done', tries: 1, external_id: expect.stringMatching(/^\d+$/) });
  for (let times = 0; times < 3; times += 1) expect(await give()).toBeUndefined();
  await intend();
  expect(sent).toHaveLength(1);
  expect(await comments()).toEqual([body]);
  expect(await effect()).toEqual(given);
});

test('promise 11: a retry finds and adopts a write whose answer was lost', async () => {
  const { intend, give, comments, effect, number } = await openJob();
  await intend();
  const before = countWrites();
  world.github.inject({ ...commenting, kind: 'reset-after' });
  expect(await give()).toBeInstanceOf(Date);
  expect(await effect()).toMatchObject({ state: 'intended', tries: 1 });
  await give();
  expect(countWrites()).toBe(before + 1);
  const [written] = await lookAt(world).comments(number);
  expect(await effect()).toMatchObject({ state: 'done', tries: 2, external_id: String(written?.id) });
  expect(await comments()).toEqual([body]);
});

test('promise 11: a retry sends a write that never reached GitHub', async () => {
  const { intend, give, comments } = await openJob();
  await intend();
  world.github.inject({ ...commenting, kind: 'before' });
  expect(await give()).toBeInstanceOf(Date);
  expect(await comments()).toEqual([]);
  await give();
  expect(await comments()).toEqual([body]);
});

test('promise 1: of two concurrent posts, the second deletes its own', async () => {
  const { jobId, intend, give, comments, effect } = await openJob();
  await intend();
  // Both have looked before either has written.
  const [postFirst, postSecond] = [await giveHeld(give), await giveHeld(give)];
  await postFirst();
  expect(await comments()).toHaveLength(1);
  await postSecond();
  expect(await comments()).toEqual([body]);
  expect(await effect()).toMatchObject({ state: 'done', tries: 2 });
  const [, deletion, ...others] = await listEffects(parts.database, jobId);
  expect(others).toEqual([]);
  expect(deletion).toMatchObject({
    key: `run_1:comment:double:${deletion?.external_id}`,
    request: { kind: 'deletion', on: 'comment', commentId: Number(deletion?.external_id) },
    state: 'done',
    tries: 1,
  });
});

test('promise 30: a double that GitHub refuses to delete is recorded as refused, and its answer as done', async () => {
  const { jobId, intend, give, comments, effect } = await openJob();
  await intend();
  const post = await giveHeld(give);
  await give();
  const given = await effect();
  const message = 'Resource not accessible by integration';
  const path = /\/issues\/comments\/\d+$/;
  world.github.inject({ method: 'DELETE', path, kind: 'answer', status: 403, body: { message } });
  await post();
  expect(await comments()).toEqual([body, body]);
  expect(await effect()).toMatchObject({ state: 'done', external_id: given?.external_id });
  const [, deletion] = await listEffects(parts.database, jobId);
  expect(deletion).toMatchObject({ state: 'refused', request: { kind: 'deletion' } });
});

test('promise 1: a double whose deletion fails is deleted by a retry, once', async () => {
  const { intend, give, comments, number, effect } = await openJob();
  const { id: commentId } = rita().comment('acme/docs', number, 'Twice.');
  const deletion: KeyedAnswer = {
    key: 'run_1:comment:double:1',
    answer: { kind: 'deletion', on: 'comment', commentId },
  };
  await intend(deletion);
  await give(deletion);
  expect(await comments()).toEqual([]);
  expect(await effect()).toMatchObject({ state: 'done', external_id: String(commentId) });
});

test('promise 1: the queue waits for a comment that a run is posting, and adopts it', async () => {
  const { jobId, number, comment, intend, give, comments, effect, sent, delaysMs } = await openJob();
  await intendEffect(parts.database, { jobId, key: comment.key, epoch: 3, request: comment.answer });
  await intend({ ...comment, answer: { kind: 'comment', pullRequest: number, body: 'It was merged.' } });
  expect(sent).toEqual(['run_1:comment']);
  // A request of the run’s ends after 30 s.
  expect(delaysMs[0]).toBeGreaterThan(30_000);
  const project = await findProjectOfJob(parts.database, jobId);
  if (!project) throw new Error('the job has no project');
  await using access = await parts.openProject(project, { pull_requests: 'write' }, signal);
  await access.client.createComment(number, body);
  await give();
  expect(await comments()).toEqual([body]);
  expect(await effect()).toMatchObject({ state: 'done', external_id: expect.stringMatching(/^\d+$/) });
});

test('promise 1: a reply in a thread is posted once, also by concurrent posts', async () => {
  const { intend, give, number, effect } = await openJob();
  const { id: rootId } = await rita().commentOnLine('acme/docs', number, { path: 'index.md', line: 1, body: 'Why?' });
  const reply = { key: 'run_1:reply:1', answer: { kind: 'reply', pullRequest: number, rootId, body: 'So.' } as const };
  await intend(reply);
  const replying = { method: 'POST', path: /\/comments\/\d+\/replies$/ } as const;
  const giveReply = () => give(reply);
  const posts = [await giveHeld(giveReply, replying), await giveHeld(giveReply, replying)];
  for (const post of posts) await post();
  await give(reply);
  expect(await effect()).toMatchObject({ state: 'done' });
  const written = await readReviewComments(number);
  expect(written.map(({ text }) => text)).toEqual(['Why?', 'So.\n\n<!-- pagewright:run_1:reply:1 -->']);
  expect(written[1]?.inReplyTo).toBe(rootId);
});

test('an eyes reaction on a comment is added once', async () => {
  const { intend, give, number, effect } = await openJob();
  const seen = eyesOn('comment', rita().comment('acme/docs', number, 'Happier, please.').id);
  await intend(seen);
  await Promise.all([give(seen), give(seen)]);
  await give(seen);
  expect((await lookAt(world).comments(number))[0]?.reactions).toMatchObject({ eyes: 1 });
  expect(await effect()).toMatchObject({ state: 'done' });
});

test('an eyes reaction on a review comment is added to that comment', async () => {
  const { intend, give, number, effect } = await openJob();
  const remark = await rita().commentOnLine('acme/docs', number, { path: 'index.md', line: 1, body: 'Why?' });
  const seen = eyesOn('review_comment', remark.id);
  await intend(seen);
  await give(seen);
  expect(remark.reactions.map(({ content }) => content)).toEqual(['eyes']);
  expect(await effect()).toMatchObject({ state: 'done', external_id: String(remark.reactions[0]?.id) });
});

test.each(['comment', 'review_comment'] as const)(
  'an eyes reaction on a deleted %s is recorded as done',
  async (on) => {
    const { intend, give, number, effect } = await openJob();
    const person = rita();
    const line = { path: 'index.md', line: 1, body: 'Why?' };
    const { id } =
      on === 'comment'
        ? person.comment('acme/docs', number, 'x')
        : await person.commentOnLine('acme/docs', number, line);
    if (on === 'comment') person.deleteComment('acme/docs', id);
    else person.deleteReviewComment('acme/docs', id);
    const seen = eyesOn(on, id);
    await intend(seen);
    expect(await give(seen)).toBeUndefined();
    expect(await effect()).toMatchObject({ state: 'done', response: { gone: true } });
  },
);

test('an answer that GitHub refuses is not retried, and its reason says what to change', async () => {
  const { intend, give, number, comments, effect } = await openJob();
  await rita().lockConversation('acme/docs', number);
  await intend();
  expect(await give()).toBeUndefined();
  const response = { refused: expect.stringContaining('Unlock the conversation, then ask again.') };
  expect(await effect()).toMatchObject({ state: 'refused', response });
  await rita().unlockConversation('acme/docs', number);
  await give();
  expect(await comments()).toEqual([]);
});

test('a reply in a deleted thread is refused', async () => {
  const { intend, give, number, effect } = await openJob();
  const { id: rootId } = await rita().commentOnLine('acme/docs', number, { path: 'index.md', line: 1, body: 'Why?' });
  rita().deleteReviewComment('acme/docs', rootId);
  const answer: Answer = { kind: 'reply', pullRequest: number, rootId, body: 'So.' };
  await intend({ key: 'run_1:reply:1', answer });
  await give({ key: 'run_1:reply:1' });
  expect(await effect()).toMatchObject({ state: 'refused' });
});

test('promise 21: while the installation is rate-limited, an answer waits and nothing is sent', async () => {
  const { intend, give, comments, effect } = await openJob();
  await intend();
  const until = new Date(Date.now() + 60_000);
  await parts.database.updateTable('installations').set({ blocked_until: until }).execute();
  const before = world.github.requests.length;
  expect(await give()).toEqual(aboutAt(until));
  expect(world.github.requests.length).toBe(before);
  expect(await effect()).toMatchObject({ state: 'intended' });
  await parts.database.updateTable('installations').set({ blocked_until: null }).execute();
  await give();
  expect(await comments()).toEqual([body]);
});

test('promise 21: an answer that hits a rate limit is retried when it ends, and the installation waits', async () => {
  const { intend, give, comments, effect } = await openJob();
  await intend();
  world.github.inject({ ...commenting, kind: 'secondary-limit', retryAfter: 90 });
  const until = await give();
  expect(until?.getTime()).toBeGreaterThan(Date.now() + 80_000);
  expect((await findInstallation(parts.database, world.installationId))?.blocked_until).toEqual(aboutAt(until));
  expect(await effect()).toMatchObject({ state: 'intended' });
  expect(await comments()).toEqual([]);
});

test('promise 21: answers with a distant write slot return to the queue, and are retried one by one', async () => {
  const jobs = [await openJob(), await openJob(), await openJob()];
  for (const { intend } of jobs) await intend();
  const ms = (writeBurst + 20) * 1000;
  const { database } = parts;
  await sql`update installations set writes_until = clock_timestamp() + ${ms} * interval '1 millisecond'`.execute(
    database,
  );
  const { admit } = createGitHubLimits({ database });
  const limited = createParts(world, { admit });
  const askedAt = Date.now();
  const moments = await Promise.all(
    jobs.map(({ jobId, comment: { key } }) => giveAnswer(limited, { jobId, key }, signal)),
  );
  expect(moments).toEqual([20, 21, 22].map((seconds) => aboutAt(new Date(askedAt + seconds * 1000))));
  expect(moments).toEqual(moments.toSorted((one, other) => Number(one) - Number(other)));
  for (const { effect, comments } of jobs) {
    expect(await effect()).toMatchObject({ state: 'intended' });
    expect(await comments()).toEqual([]);
  }
});

test('an answer is given up after three days, for every cause of its wait', async () => {
  const { intend, give, effect } = await openJob();
  await intend();
  await suspend(new Date());
  try {
    expect(await give()).toBeInstanceOf(Date);
    await sql`update effects set intended_at = intended_at - interval '73 hours' where state = 'intended'`.execute(
      parts.database,
    );
    expect(await give()).toBeUndefined();
    const response = { refused: 'Pagewright could not post it for three days.' };
    expect(await effect()).toMatchObject({ state: 'refused', response });
  } finally {
    await suspend(null);
  }
});

test('an answer waits until its installation is unsuspended', async () => {
  const { intend, give, comments, effect } = await openJob();
  await intend();
  await suspend(new Date());
  expect((await give())?.getTime()).toBeGreaterThan(Date.now());
  expect(await effect()).toMatchObject({ state: 'intended' });
  await suspend(null);
  await give();
  expect(await comments()).toEqual([body]);
});

test('a suspension during a post does not refuse the answer', async () => {
  const { intend, give, comments, effect } = await openJob();
  await intend();
  const suspended = { message: 'This installation has been suspended' };
  world.github.inject({ ...commenting, kind: 'answer', status: 403, body: suspended });
  expect((await give())?.getTime()).toBeGreaterThan(Date.now() + 60_000);
  expect(await effect()).toMatchObject({ state: 'intended' });
  await give();
  expect(await comments()).toEqual([body]);
});

test.each<[string, FaultRule]>([
  ['answer', { method: 'GET', path: /\/issues\/\d+\/comments$/, kind: 'before', times: 3 }],
  ['answer clearly', { ...commenting, kind: 'before' }],
  ['accept the App’s key', { path: /\/access_tokens$/, kind: 'answer', status: 401, body: {} }],
])('when GitHub does not %s, an answer waits longer the older it is', async (_name, fault) => {
  const { jobId, intend, effect, comment, comments } = await openJob();
  // With no token of before.
  const give = () => giveAnswer(createParts(world, { retryDelaysMs: [1, 1] }), { jobId, key: comment.key }, signal);
  await intend();
  world.github.inject(fault);
  expect(await give()).toEqual(aboutAt(new Date(Date.now() + 2_000)));
  const { database } = parts;
  const intended_at = new Date(Date.now() - 3600_000);
  await database.updateTable('effects').set({ intended_at }).where('job_id', '=', jobId).execute();
  world.github.inject(fault);
  expect(await give()).toEqual(aboutAt(new Date(Date.now() + 5 * 60_000)));
  expect(await effect()).toMatchObject({ state: 'intended' });
  await give();
  expect(await comments()).toEqual([body]);
});

test('an answer that was given up is not posted later, and records why', async () => {
  const { jobId, intend, give, comments, effect, comment } = await openJob();
  await intend();
  await giveUpAnswer(parts, { jobId, key: comment.key });
  expect(await effect()).toMatchObject({
    state: 'refused',
    response: { refused: 'Pagewright could not post it in any of its tries.' },
  });
  const before = countWrites();
  await give();
  expect(countWrites()).toBe(before);
  expect(await comments()).toEqual([]);
});

test('an answer is given up when the App loses its repository, also during a suspension', async () => {
  const { intend, give, effect } = await openJob();
  await intend();
  const { database } = parts;
  await suspend(new Date());
  await database.updateTable('projects').set({ removed_at: new Date() }).execute();
  try {
    expect(await give()).toBeUndefined();
    expect(await effect()).toMatchObject({ state: 'refused', response: { refused: expect.stringContaining('App') } });
  } finally {
    await suspend(null);
    await database.updateTable('projects').set({ removed_at: null }).execute();
  }
});

test('an entry without an answer is discarded', async () => {
  const { give } = await openJob();
  expect(await give({ key: 'run_9:comment' })).toBeUndefined();
  expect(await giveAnswer(parts, { jobId: 'job_unknown', key: 'run_9:comment' }, signal)).toBeUndefined();
});

/** The remarks on a pull request, as anybody with access reads them. */
async function readReviewComments(number: number) {
  const access = {
    installationId: world.installationId,
    repositoryId: world.repository.id,
    permissions: { pull_requests: 'read' } as const,
    signal,
  };
  const { token } = await parts.github.mintToken(access);
  const url = `${world.github.apiUrl}/repos/acme/docs/pulls/${number}/comments`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const shape = z.array(z.object({ body: z.string(), in_reply_to_id: z.number().optional() }));
  return shape.parse(await answer.json()).map((told) => ({ text: told.body, inReplyTo: told.in_reply_to_id }));
}

test('of previews that are written at the same moment, the newest stays', async () => {
  const { intend, give, number } = await openJob();
  const preview = (name: string) => `${previewStart}\n\n${name}\n\n${previewEnd}`;
  const answers = ['older', 'newer'].map(
    (name, index): KeyedAnswer => ({
      key: `preview:sha:${index}`,
      answer: { kind: 'preview', pullRequest: number, section: preview(name), isFirst: true },
    }),
  );
  for (const answer of answers) await intend(answer);
  for (const answer of answers.toReversed()) expect(await give(answer)).toBeUndefined();
  expect((await lookAt(world).pullRequest(number)).body).toContain(preview('newer'));
});

/** A pull request of a job on the branch of a person's, which is squashed. */
async function openStacked() {
  const opened = await openJob();
  const { number } = opened;
  const from = `raise-${number}`;
  const headSha = await rita().pushCommit('acme/docs', from, { [`limits-${number}.md`]: 'One hundred.\n' }, 'Raise it');
  const theirs = await rita().openPullRequest('acme/docs', { title: 'Raise it', head: from, base: 'main' });
  await rita().editPullRequest('acme/docs', number, { base: from });
  const mergedSha = await rita().mergePullRequest('acme/docs', theirs.number, { method: 'squash' });
  const answer = { kind: 'retarget', pullRequest: number, from, to: 'main', headSha, mergedSha } as const;
  const countMerges = async () => {
    const { head } = await lookAt(world).pullRequest(number);
    return Number(await lookAt(world).git('rev-list', '--count', '--merges', `main..${head.ref}`));
  };
  return { ...opened, retarget: { key: 'retarget:1', answer } satisfies KeyedAnswer, countMerges };
}

test('promise 11: a retargeting whose answer was lost merges the new base once', async () => {
  const { intend, give, retarget, number, countMerges, effect } = await openStacked();
  await intend(retarget);
  world.github.inject({ method: 'PUT', path: /\/update-branch$/, kind: 'reset-after' });
  expect(await give(retarget)).toBeInstanceOf(Date);
  expect(await give(retarget)).toBeUndefined();
  expect(await lookAt(world).pullRequest(number)).toMatchObject({ state: 'open', base: { ref: 'main' } });
  expect(await countMerges()).toBe(1);
  expect(await effect()).toMatchObject({ state: 'done', external_id: String(number) });
});

test('a pull request that conflicts with its new base, or that a person has retargeted, keeps its branch', async () => {
  const conflicting = await openStacked();
  await rita().pushCommit('acme/docs', 'main', { 'index.md': '# Another\n' }, 'Rename it');
  await conflicting.intend(conflicting.retarget);
  expect(await conflicting.give(conflicting.retarget)).toBeUndefined();
  expect(await lookAt(world).pullRequest(conflicting.number)).toMatchObject({ base: { ref: 'main' } });
  expect(await conflicting.countMerges()).toBe(0);

  const { intend, give, retarget, number, countMerges } = await openStacked();
  await rita().pushCommit('acme/docs', 'next', { 'next.md': 'Next.\n' }, 'Begin the next');
  await rita().editPullRequest('acme/docs', number, { base: 'next' });
  await intend(retarget);
  expect(await give(retarget)).toBeUndefined();
  expect(await lookAt(world).pullRequest(number)).toMatchObject({ base: { ref: 'next' } });
  expect(await countMerges()).toBe(0);
});
