import { expect, test } from 'vitest';
import { createId } from '../../src/create-id.ts';
import { readRunAnswer } from '../../src/jobs/shown-publication.ts';

const message = createId('msg');
const inThread = { message: 'thread_7', text: 'In the thread.' };

test.each<[string, object | null, string | null]>([
  ['nothing was published', null, null],
  ['nothing was said', { summary: ' ', replies: [inThread] }, null],
  ['only a summary', { summary: 'Changed the limit.' }, 'Changed the limit.'],
  [
    'an answer to a question, which is not in the summary',
    { summary: 'Answered.', replies: [{ message, text: 'For 30 days.' }, inThread] },
    'Answered.\n\nFor 30 days.',
  ],
  ['the same twice', { summary: 'For 30 days.', replies: [{ message, text: 'For 30 days.\n' }] }, 'For 30 days.'],
])('what a run says: %s', (_name, publication, expected) => {
  expect(readRunAnswer({ publication })).toBe(expected);
});
