import { expect, test } from 'vitest';
import { judgeStory, type Story } from '../../harness/judge-events.ts';

type Event = Omit<Story['events'][number], 'seq'>;

const told: readonly Event[] = [
  { type: 'job.created', data: {} },
  { type: 'message.accepted', data: { messageId: 'msg_1' } },
  { type: 'run.started', data: { runId: 'run_1', number: 1 } },
  { type: 'turn.answered', data: { runId: 'run_1', turn: 0, tools: ['read_file', 'edit_file'] } },
  { type: 'tool.finished', data: { runId: 'run_1', turn: 0, name: 'read_file' } },
  { type: 'tool.finished', data: { runId: 'run_1', turn: 0, name: 'edit_file' } },
  { type: 'turn.answered', data: { runId: 'run_1', turn: 1, tools: ['finish'] } },
  { type: 'tool.finished', data: { runId: 'run_1', turn: 1, name: 'finish' } },
  { type: 'pull_request.opened', data: { runId: 'run_1', number: 7 } },
  { type: 'run.ended', data: { runId: 'run_1', outcome: 'completed', code: 'published' } },
  { type: 'job.completed', data: { runId: 'run_1' } },
  { type: 'message.accepted', data: { messageId: 'msg_2' } },
  { type: 'run.started', data: { runId: 'run_2', number: 2 } },
  { type: 'turn.answered', data: { runId: 'run_2', turn: 0, tools: ['read_file'] } },
  { type: 'run.ended', data: { runId: 'run_2', outcome: 'failed', code: 'cancelled' } },
  { type: 'job.failed', data: { runId: 'run_2', code: 'cancelled' } },
  { type: 'message.accepted', data: { messageId: 'msg_3' } },
  { type: 'run.started', data: { runId: 'run_3', number: 3 } },
  { type: 'run.ended', data: { runId: 'run_3', outcome: 'failed', code: 'archived' } },
  { type: 'job.archived', data: { reason: 'closed' } },
  { type: 'job.unarchived', data: {} },
];

const tell = (events: readonly Event[]): Story => ({
  status: 'completed',
  nextEvent: events.length + 1,
  messages: [
    { messageId: 'msg_1', runId: 'run_1' },
    { messageId: 'msg_2', runId: 'run_2' },
    { messageId: 'msg_3', runId: 'run_3' },
  ],
  runs: [
    { runId: 'run_1', code: 'published', isEnded: true },
    { runId: 'run_2', code: 'cancelled', isEnded: true },
    { runId: 'run_3', code: 'archived', isEnded: true },
  ],
  turns: [
    { runId: 'run_1', turn: 0, hasResults: true },
    { runId: 'run_1', turn: 1, hasResults: true },
    { runId: 'run_2', turn: 0, hasResults: false },
  ],
  pullRequests: [{ runId: 'run_1', type: 'pull_request.opened' }],
  events: events.map((event, index) => ({ seq: index + 1, ...event })),
});

const places = told.map((event, index) => [index + 1, event.type] as const);

/** A message may come at any moment, and what a run publishes at any of its own. */
const mayChange = ['message.accepted run.started', 'tool.finished pull_request.opened'];

test('promise 33: the judge finds nothing wrong with a true story', () => {
  expect(judgeStory(tell(told))).toEqual([]);
});

test.each(places)('promise 33: the judge misses event %i, %s', (place) => {
  expect(judgeStory(tell(told.toSpliced(place - 1, 1)))).not.toEqual([]);
});

test.each(places)('promise 33: the judge sees event %i, %s, told twice', (place) => {
  expect(judgeStory(tell([...told.slice(0, place), ...told.slice(place - 1)]))).not.toEqual([]);
});

test.each(places.slice(1))('promise 33: the judge sees event %i, %s, before the one before it', (place, type) => {
  const [before, moved] = [told[place - 2], told[place - 1]];
  if (!before || !moved) throw new Error('no such event');
  const faults = judgeStory(tell(told.toSpliced(place - 2, 2, moved, before)));
  const change = `${before.type} ${type}`;
  expect(faults.length > 0, change).toBe(!mayChange.includes(change));
});

test.each<[string, Partial<Story>]>([
  ['a gap', { events: tell(told).events.map((event) => ({ ...event, seq: event.seq + (event.seq > 5 ? 1 : 0) })) }],
  ['a counter that is ahead', { nextEvent: told.length + 2 }],
  ['another status', { status: 'failed' }],
  ['a message that nobody told of', { messages: [...tell(told).messages, { messageId: 'msg_4', runId: null }] }],
  ['an opened pull request that was updated', { pullRequests: [{ runId: 'run_1', type: 'pull_request.updated' }] }],
  ['another end', { runs: tell(told).runs.map((run) => ({ ...run, code: 'published' })) }],
])('promise 33: the judge sees %s', (_name, change) => {
  expect(judgeStory({ ...tell(told), ...change })).not.toEqual([]);
});
