import { sql } from 'kysely';
import { expect } from 'vitest';
import { judgeEvents } from '../../harness/judge-events.ts';
import { listEffects } from '../../src/store/tables/jobs/effects.ts';
import { listRuns } from '../../src/store/tables/jobs/runs.ts';
import type { LiveJob } from './live-job.ts';
import { ourLogin } from './memory-github.ts';
import { isArchivedIn, type Model } from './model.ts';

/**
 * The job is as the state table says, and so is each of its messages, in the order in which they were accepted. One row: there is never a
 * second run that has not ended.
 */
export async function compare(model: Model, { jobId, parts }: LiveJob): Promise<void> {
  const { rows } = await sql`
    select status, archived_at is not null as "isArchived", coalesce(phase, 'none') as run,
      coalesce(stop_requested, false) as "isStopRequested",
      (select json_agg(json_build_object('key', case source when 'api' then prompt else source_key end, 'state', state)
        order by seq) from messages where messages.job_id = jobs.job_id) as messages
    from jobs left join runs on runs.job_id = jobs.job_id and phase <> 'ended'
    where jobs.job_id = ${jobId}`.execute(parts.database);
  const { status, run, isStopRequested } = model;
  const messages = model.messages.map(({ key, state }) => ({ key, state }));
  expect(rows).toEqual([{ status, isArchived: status === 'archived', run, isStopRequested, messages }]);
}

const trusted = ['rita', 'max'];

/** What holds once nothing is left to happen. */
export async function assertAtRest(model: Model, live: LiveJob): Promise<void> {
  const { database } = live.parts;
  const { memory, jobId } = live;
  await compare(model, live);
  const { messages, job } = await live.read();
  const runs = await listRuns(database, jobId);
  const number = live.pullRequest()?.number;

  expect(job.status === 'archived', `promise 8: after ${memory.facts.join(', ')} it is ${job.status}`).toBe(
    isArchivedIn(model, memory.facts),
  );
  expect(
    memory.pushes.filter(({ isJobArchived }) => isJobArchived),
    'promise 14: nothing is pushed after the end',
  ).toEqual([]);

  const ends = messages.map(({ state, reason }) => (state === 'dropped' && reason !== null ? 'answered' : state));
  expect(new Set(ends), 'promise 15: every message is answered, or dropped for a reason').toEqual(
    new Set(['answered']),
  );
  // What was dropped before it was begun has no place in it: a stop leaves what was written after it, which may have come before that.
  const begun = messages.flatMap(({ run_id, turn_index: turn }) => (turn === null ? [] : [{ run_id, turn }]));
  const places = begun.map(({ run_id, turn }) => {
    const run = runs.find((candidate) => candidate.run_id === run_id);
    return (run?.number ?? 0) * 1000 + turn;
  });
  expect(places, 'promise 15: in the order in which they were accepted').toEqual(places.toSorted((a, b) => a - b));

  const people = messages.flatMap(({ context }) => context?.person?.login ?? []);
  expect(
    people.filter((login) => !trusted.includes(login)),
    'promise 6: nobody else is listened to',
  ).toEqual([]);
  const strangers = [...memory.comments, ...memory.remarks].filter(
    ({ writer }) => !trusted.includes(writer.login) || writer.viaApp,
  );
  const seen = strangers.filter(
    ({ id }) => memory.reactions.has(`comment:${id}`) || memory.reactions.has(`review_comment:${id}`),
  );
  expect(seen, 'promise 6: nobody else is shown that they were seen').toEqual([]);

  const said = [...memory.comments, ...memory.remarks].filter(
    ({ writer, pullRequest }) => writer.login === ourLogin && pullRequest === number,
  );
  const markers = said.map(({ body }) => /<!-- pagewright:(.*) -->/.exec(body)?.[1] ?? 'none');
  expect(markers, 'nothing is said twice').toEqual([...new Set(markers)]);
  const names = memory.pushes.map(({ name }) => name);
  expect(names, 'nothing is pushed twice').toEqual([...new Set(names)]);
  expect(await judgeEvents(database, jobId), 'promise 33: the events tell what happened').toEqual([]);
  const effects = await listEffects(database, jobId);
  // What a run has begun and was stopped at stays so; a promised answer belongs to no run.
  const undone = effects.filter(({ state, epoch }) => state !== 'done' && epoch === 0);
  expect(
    undone.map(({ key }) => key),
    'every promised answer is given',
  ).toEqual([]);

  for (const { context, source_key: key, state, run_id: runId, seq } of messages) {
    if (!context) continue;
    // What one stop dropped behind a run that publishes is told apart from what that run did, and named after the last of it.
    const last = messages.filter((each) => each.run_id === runId && each.state === 'dropped' && each.seq >= seq);
    const names =
      state === 'answered' ? [runId] : [runId, ...last.map(({ message_id: id }) => `${runId}:stopped:${id}`)];
    const given = names.filter((name) => markers.includes(`${name}:comment`));
    expect(given, `promise 15: ${key} is answered on GitHub`).not.toEqual([]);
    for (const { rootId } of context.review?.threads ?? []) {
      const replies = names.filter((name) => markers.includes(`${name}:reply:${rootId}`));
      expect(replies, `promise 15: the thread ${rootId} is answered on GitHub`).not.toEqual([]);
    }
  }
  const dropped = messages
    .filter(({ state }) => state === 'dropped')
    .flatMap(({ context }) => context?.review?.threads ?? []);
  const answered = messages
    .filter(({ state }) => state === 'answered')
    .flatMap(({ context }) => context?.review?.threads ?? []);
  const lies = memory.remarks.filter(
    ({ inReplyTo, body }) =>
      body.startsWith('Taken up') &&
      dropped.some(({ rootId }) => rootId === inReplyTo) &&
      !answered.some(({ rootId }) => rootId === inReplyTo),
  );
  expect(lies, 'nothing that was dropped is said to be done').toEqual([]);
}
