import { Webhook as Signer } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { ReceivedPost } from '../../../../harness/start-receiver.ts';
import { judgeWebhooks, type SentWebhook, type ToldOfProject } from '../../../../trials/faults/world/webhook-faults.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const sent = (seq: number, jobId: string, type: string, runId: string | null): SentWebhook => ({
  deliveryId: `whd_${seq}`,
  jobId,
  runId,
  seq,
  type,
  state: 'delivered',
  tries: 1,
});
const answered = sent(1, 'job_1', 'message.answered', 'run_1');
const completed = sent(2, 'job_1', 'job.completed', 'run_1');
const archived = sent(3, 'job_1', 'job.archived', 'run_1');
const failed = sent(4, 'job_2', 'job.failed', 'run_2');
const deliveries = [answered, completed, archived, failed];
const told: ToldOfProject = {
  deliveries,
  ends: ['job_1 job.completed', 'job_1 job.archived', 'job_2 job.failed'],
  answeredRuns: ['run_1'],
};

function post({ deliveryId, type, jobId, runId }: SentWebhook, { with: key = secret, note = '' } = {}): ReceivedPost {
  const run = runId === null ? null : { id: runId };
  const body = JSON.stringify({ type, timestamp: 'now', data: { job: { id: jobId }, run, note } });
  const at = new Date();
  const headers = {
    'webhook-id': deliveryId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Signer(key).sign(deliveryId, at, body),
  };
  return { at: 0, path: '/hook', headers, body };
}

/** The receiver accepts all but `refused`. */
function judge(posts: readonly ReceivedPost[], change: Partial<ToldOfProject> = {}, refused: ReceivedPost[] = []) {
  const accepted = new Set(posts.filter((one) => !refused.includes(one)));
  return judgeWebhooks({ ...told, ...change }, { secret, posts, accepted });
}

const posts = deliveries.map((delivery) => post(delivery));

test('promise 29: the judge finds nothing wrong with a true story, repetitions included', () => {
  expect(judge(posts)).toEqual([]);
  const refused = post(answered);
  expect(judge([refused, ...posts], {}, [refused])).toEqual([]);
  expect(judge([...posts, post(failed)])).toEqual([]);
});

test.each<[string, () => string[]]>([
  ['a webhook that never arrived', () => judge(posts.slice(0, -1))],
  ['one that was refused', () => judge(posts, {}, posts.slice(-1))],
  ['one that is still waiting', () => judge(posts, { deliveries: [...deliveries, { ...failed, state: 'waiting' }] })],
  ['an end of which nothing tells', () => judge(posts, { ends: [...told.ends, 'job_3 job.failed'] })],
  ['a webhook of nothing', () => judge(posts, { ends: told.ends.slice(0, -1) })],
  ['an answer of which nothing tells', () => judge(posts, { answeredRuns: ['run_1', 'run_2'] })],
  ['an answer that is told of another run', () => judge(posts, { answeredRuns: ['run_2'] })],
  ['two ends in the wrong order', () => judge(posts.toSpliced(1, 2, ...posts.slice(1, 3).toReversed()))],
  ['one that came before the one before it was accepted', early],
  ['one that came again after a later one', () => judge([...posts, post(completed)])],
  ['an unknown one', () => judge([...posts, post({ ...failed, deliveryId: 'whd_9' })])],
  [
    'a wrong signature',
    () => judge([...posts, post(failed, { with: `whsec_${Buffer.alloc(32).toString('base64')}` })]),
  ],
  ['two bodies of one', () => judge([...posts, post(failed, { note: 'again' })])],
  ['another event in the body', () => judge([...posts.slice(0, -1), post({ ...failed, type: 'job.completed' })])],
])('promise 29: the judge sees %s', (_name, find) => {
  expect(find()).not.toEqual([]);
});

/** `answered` is refused, and what follows it comes at once. */
function early(): string[] {
  const refused = post(answered);
  return judge([refused, ...posts.slice(1), post(answered)], {}, [refused]);
}

test('promise 29: the judge sees an end before the answers of its run', () => {
  const later = { ...answered, seq: 2.5 };
  const ordered = [completed, later, archived, failed];
  expect(
    judge(
      ordered.map((delivery) => post(delivery)),
      { deliveries: ordered },
    ),
  ).toEqual(['job.completed of run_1 comes before its message.answered']);
});
