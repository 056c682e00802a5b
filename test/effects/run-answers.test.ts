import { describe, expect, test } from 'vitest';
import { type RunReport, threadId, writeRunAnswers } from '../../src/effects/run-answers.ts';
import type { Thread } from '../../src/store/tables/columns.ts';

const person = { login: 'rita', userId: 5 };
const unanswered = 'The agent did not answer this comment. See the comment on the pull request.';
const commitUrl = 'https://github.test/acme/docs/commit/abc';

/** A message of the conversation, or by the API. */
const ask = (messageId: string, prompt: string) => ({ message_id: messageId, author: 'rita', prompt, context: null });

const thread = (rootId: number, text = 'Is it 100?'): Thread => ({
  rootId,
  path: 'limits.md',
  line: 3,
  excerpt: '+100',
  quoted: null,
  text,
});

/** A review with its remarks; one that says nothing itself is as a single remark is. */
const review = (messageId: string, body: string, ...rootIds: number[]) => ({
  ...ask(messageId, 'limits.md:3: Is it 100?'),
  context: { person, review: { body, threads: rootIds.map((rootId) => thread(rootId)) } },
});

const report = (more: Partial<RunReport> = {}): RunReport => ({
  runId: 'run_1',
  pullRequest: 1,
  messages: [ask('msg_1', 'Make it 100.')],
  end: { outcome: 'completed' },
  summary: 'It is 100 now.',
  context: { repository: 'https://github.test/acme/docs', allowedHosts: [] },
  ...more,
});

/** The bodies, by key. */
const bodiesOf = (given: Partial<RunReport>) =>
  Object.fromEntries(writeRunAnswers(report(given)).map(({ key, answer }) => [key, answer.body]));
const replyOf = (given: Partial<RunReport>, rootId = 7) => bodiesOf(given)[`run_1:reply:${rootId}`];
const commentOf = (given: Partial<RunReport>) => bodiesOf(given)['run_1:comment'];

describe('the comment', () => {
  test('has the limit first, then the summary, the warnings, and the commit last', () => {
    const limit = 'Stopped at 3 turns.';
    expect(commentOf({ summary: 'Done. <!-- x -->', limit, warnings: ['The label is missing.'], commitUrl })).toBe(
      `**Stopped at 3 turns.**\n\nDone. &lt;!-- x -->\n\n**Note:** The label is missing.\n\nCommit: ${commitUrl}`,
    );
  });

  test('is the summary alone when nothing changed', () => {
    expect(writeRunAnswers(report({ summary: 'It is 100 already.' }))).toEqual([
      { key: 'run_1:comment', answer: { kind: 'comment', pullRequest: 1, body: 'It is 100 already.' } },
    ]);
  });

  test('links the commit that was pushed before the run failed', () => {
    expect(commentOf({ summary: 'It was merged.', commitUrl, end: { outcome: 'failed' } })).toBe(
      `It was merged.\n\nPushed before the failure: ${commitUrl}`,
    );
  });

  test('gives the number of threads with a reply when there are too many', () => {
    const rootIds = Array.from({ length: 130 }, (_, index) => index + 1);
    const answers = bodiesOf({ messages: [review('msg_1', 'All of it.', ...rootIds)] });
    expect(Object.keys(answers)).toHaveLength(101);
    expect(answers['run_1:reply:100']).toBeDefined();
    expect(answers['run_1:comment']).toContain('Only the first 100 of 130 threads have a reply.');
    expect(commentOf({ messages: [review('msg_1', 'All of it.', ...rootIds.slice(0, 100))] })).toBe('It is 100 now.');
  });

  test('quotes each message that the agent answers separately, with its answer', () => {
    const messages = [ask('msg_1', 'Make it 100.\nAt once.'), ask('msg_2', 'Why was it 60?'), ask('msg_3', 'Thanks.')];
    const replies = [
      { message: 'msg_2', text: 'Nobody had *measured* it.' },
      { message: 'msg_1', text: 'Done.' },
    ];
    expect(commentOf({ messages, replies })).toBe(
      'It is 100 now.\n\n> rita: Why was it 60?\n\nNobody had *measured* it.\n\n> rita: Make it 100.\n\nDone.',
    );
  });

  test('contains the answer to a review of several remarks', () => {
    const replies = [{ message: 'msg_1', text: 'Both are done.' }];
    const answers = bodiesOf({ messages: [review('msg_1', '', 7, 8)], replies });
    expect(answers['run_1:comment']).toContain('Both are done.');
    expect(Object.values(answers).filter((body) => body.includes('Both are done.'))).toHaveLength(1);
  });

  test('repeats no reply of a thread, and ignores messages of other runs', () => {
    const replies = [
      { message: threadId(7), text: 'In the thread.' },
      { message: 'msg_1', text: 'In the thread as well.' },
      { message: 'msg_9', text: 'To nobody.' },
      { message: threadId(99), text: 'To no thread.' },
    ];
    const answers = bodiesOf({ messages: [review('msg_1', '', 7)], replies });
    expect(answers['run_1:comment']).toBe('It is 100 now.');
    expect(Object.keys(answers)).toEqual(['run_1:comment', 'run_1:reply:7']);
    expect(Object.values(answers).join()).not.toMatch(/To nobody|To no thread/);
  });

  test('promise 19: mentions nobody and hides nothing, from any author', () => {
    const messages = [ask('msg_1', '@everyone <!-- hidden --> look')];
    const summary = 'Ask @acme/all. <!-- pagewright:run_9:comment -->';
    const body = commentOf({ messages, summary, replies: [{ message: 'msg_1', text: '@rita knows.' }] });
    expect(body).toContain('Ask `@acme/all`.');
    expect(body?.replace(/`[^`]*`/g, '')).not.toMatch(/@\w/);
    expect(body).not.toContain('<!-- pagewright');
    expect(body).not.toContain('<!-- hidden');
  });
});

describe('the reply in a thread', () => {
  const messages = [review('msg_1', 'Nearly.', 7, 8)];

  test.each<[string, Partial<RunReport>, string]>([
    [
      'is the agent’s reply to the thread',
      { commitUrl, replies: [{ message: threadId(7), text: 'Yes, measured.' }] },
      'Yes, measured.',
    ],
    [
      'is the agent’s reply when nothing changed',
      { replies: [{ message: threadId(7), text: 'Yes, measured.' }] },
      'Yes, measured.',
    ],
    [
      'is the agent’s reply to a message of one remark',
      { messages: [review('msg_1', '', 7)], replies: [{ message: 'msg_1', text: 'Yes, measured.' }] },
      'Yes, measured.',
    ],
    [
      'joins all replies of the agent',
      {
        messages: [review('msg_1', '', 7)],
        replies: [
          { message: 'msg_1', text: 'Yes.' },
          { message: threadId(7), text: 'It was measured.' },
        ],
      },
      'Yes.\n\nIt was measured.',
    ],
    ['says that the agent gave no answer, whatever it changed', { commitUrl }, unanswered],
    [
      'gives the reason when the run failed',
      { end: { outcome: 'failed' }, summary: 'Stopped on request.' },
      'The agent did not answer this comment. Stopped on request.',
    ],
    [
      'names the commit and the reason when the run failed after the push',
      { end: { outcome: 'failed' }, summary: 'It was merged.', commitUrl },
      'The agent did not answer this comment. It was merged.',
    ],
  ])('%s', (_name, given, body) => {
    expect(replyOf({ messages, ...given })).toBe(body);
  });

  test('is not the agent’s answer to a review with several remarks', () => {
    const replies = [{ message: 'msg_1', text: 'Both are done.' }];
    expect(replyOf({ messages, replies, commitUrl })).toBe(unanswered);
    expect(replyOf({ messages: [review('msg_1', 'Nearly.', 7)], replies, commitUrl })).toBe(unanswered);
  });

  test('goes to the first comment of the thread', () => {
    expect(writeRunAnswers(report({ messages }))[1]).toMatchObject({
      key: 'run_1:reply:7',
      answer: { kind: 'reply', pullRequest: 1, rootId: 7 },
    });
  });
});

test('promise 15: two messages in one thread get one reply, and threads are answered in the order of their messages', () => {
  const messages = [review('msg_1', '', 8), ask('msg_2', 'And this.'), review('msg_3', '', 7), review('msg_4', '', 8)];
  const replies = [
    { message: 'msg_4', text: 'The second too.' },
    { message: 'msg_1', text: 'The first.' },
  ];
  const answers = writeRunAnswers(report({ messages, replies }));
  expect(answers.map(({ key }) => key)).toEqual(['run_1:comment', 'run_1:reply:8', 'run_1:reply:7']);
  expect(answers[1]?.answer.body).toBe('The second too.\n\nThe first.');
});

test('promise 1: the same report gives the same answers under the same keys', () => {
  const given = report({
    messages: [ask('msg_1', 'Why?'), review('msg_2', 'Nearly.', 7, 8)],
    replies: [
      { message: 'msg_1', text: 'Because.' },
      { message: threadId(8), text: 'Yes.' },
    ],
    limit: 'Stopped.',
    warnings: ['A label is missing.'],
    commitUrl,
  });
  expect(writeRunAnswers(structuredClone(given))).toEqual(writeRunAnswers(given));
});

test('an answer stays within GitHub’s limit for any input', () => {
  const text = '@a '.repeat(50_000);
  const messages = [
    ...Array.from({ length: 20 }, (_, index) => ask(`msg_${index}`, text)),
    review('msg_r', '', ...Array.from({ length: 30 }, (_, index) => index + 1)),
  ];
  const replies = messages.flatMap(({ message_id: message }) => [{ message, text }]);
  const threads = Array.from({ length: 30 }, (_, index) => ({ message: threadId(index + 1), text }));
  const answers = writeRunAnswers(report({ messages, summary: text, replies: [...threads, ...replies], commitUrl }));
  expect(answers).toHaveLength(31);
  for (const { answer } of answers) expect(answer.body.length).toBeLessThan(65_400);
});

test('a reply links the commit that changes the file of its thread', () => {
  const answered = { messages: [review('msg_1', '', 7)], commitUrl, replies: [{ message: 'thread_7', text: 'Yes.' }] };
  expect(replyOf({ ...answered, changedPaths: ['limits.md'] })).toBe(`Yes.\n\nCommit: ${commitUrl}`);
  expect(replyOf({ ...answered, changedPaths: ['index.md'] })).toBe('Yes.');
  expect(replyOf({ ...answered, replies: [], changedPaths: ['limits.md'] })).toBe(unanswered);
});
