import { sql } from 'kysely';
import { expect } from 'vitest';
import { judgeJob } from '../../harness/judge-job.ts';
import { listEffects } from '../../src/store/tables/jobs/effects.ts';
import { ourLogin } from './create-parts.ts';
import { trusted } from './hear.ts';
import type { LiveJob } from './live-job.ts';
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

/** What holds once nothing is left to happen. */
export async function assertAtRest(model: Model, live: LiveJob): Promise<void> {
  const { jobId, parts, relayed } = live;
  await compare(model, live);
  const { messages, job } = await live.read();
  const facts = live.facts();
  const { comments = [], reviewComments = [] } = live.pullRequest() ?? {};

  expect(job.status === 'archived', `promise 8: after ${facts.join(', ')} it is ${job.status}`).toBe(
    isArchivedIn(model, facts),
  );
  const { pushes } = live.worker;
  expect(
    pushes.filter(({ isJobArchived }) => isJobArchived),
    'promise 14: nothing is pushed after the end',
  ).toEqual([]);
  const names = pushes.map(({ name }) => name);
  expect(names, 'nothing is pushed twice').toEqual([...new Set(names)]);
  expect(parts.world.github.duplicates(), 'nothing is said twice').toEqual([]);
  const effects = await listEffects(parts.database, jobId);
  // Nobody writes at the same time here, so that there is no double to delete.
  expect(effects.map(({ key }) => key).filter((key) => key.includes(':double:'))).toEqual([]);

  const people = messages.flatMap(({ context }) => context?.person?.login ?? []);
  expect(
    people.filter((login) => !trusted.includes(login)),
    'promise 6: nobody else is listened to',
  ).toEqual([]);
  const ofStrangers = [...comments, ...reviewComments].filter(
    ({ id, author }) => !trusted.includes(author.login) || relayed.has(id),
  );
  expect(
    ofStrangers.filter(({ reactions }) => reactions.length > 0),
    'promise 6: nobody else is shown that they were seen',
  ).toEqual([]);

  const said = [
    ...comments.map((comment) => ({ ...comment, thread: null })),
    ...reviewComments.map((comment) => ({ ...comment, thread: comment.inReplyToId })),
  ].filter(({ author }) => author.login === ourLogin);
  expect(await judgeJob(parts.database, jobId, said)).toEqual([]);
}
