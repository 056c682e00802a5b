import { expect, test } from 'vitest';
import { composeReview } from '../../../src/deliveries/instructions/compose-review.ts';
import { readVisible } from '../../../src/text/read-visible.ts';
import { stripHidden } from '../../../src/text/strip-hidden.ts';

const how = { read: (text: string) => readVisible(stripHidden(text), 'pagewright-test'), isAccepted: () => true };
const writtenAt = new Date('2026-11-20T20:06:00Z');
const review = (count: number, last = 'The last.') => ({
  writtenAt,
  body: 'Nearly.',
  remarks: Array.from({ length: count }, (_, index) => ({
    commentId: index + 1,
    rootId: index + 1,
    path: 'a.md',
    startLine: null,
    line: 1,
    excerpt: '',
    quoted: null,
    text: index === count - 1 ? last : `Remark ${index + 1}.`,
    isResolved: false,
  })),
});

test('a review is cut after a hundred remarks, and says so', () => {
  const whole = composeReview(review(100), how);
  expect(whole).toMatchObject({ body: 'Nearly.', prompt: expect.stringContaining('The last.') });
  const cut = composeReview(review(1000), how);
  if (cut.kind !== 'instruction') throw new Error('it is an instruction');
  expect([cut.threads.length, cut.commentIds.length]).toEqual([100, 100]);
  expect(cut.body).toBe('Nearly.\n\n(This review has 1000 comments. Pagewright uses only the first 100.)');
  expect(cut.prompt).toContain(`${cut.body}\n\na.md:1: Remark 1.`);
  expect(cut.prompt).not.toContain('The last.');
});

test('a remark shows its line, or the first and last of its lines', () => {
  const [remark] = review(1).remarks;
  if (!remark) throw new Error('there is a remark');
  const remarks = [remark, { ...remark, startLine: 10, line: 20 }, { ...remark, line: null }];
  expect(composeReview({ ...review(0), remarks }, how)).toMatchObject({
    prompt: 'Nearly.\n\na.md:1: The last.\n\na.md:10-20: The last.\n\na.md: The last.',
    threads: [{ line: 1 }, { startLine: 10, line: 20 }, { line: null }],
  });
});

test('a stop counts anywhere among a thousand remarks', () => {
  expect(composeReview(review(1000, '@pagewright-test stop'), how)).toEqual({ kind: 'stop', commentIds: [1000] });
});

test('a remark in a resolved thread is no instruction, but a stop there counts', () => {
  const { remarks, ...rest } = review(2);
  const resolved = remarks.map((remark, index) => ({ ...remark, isResolved: index === 0 }));
  expect(composeReview({ ...rest, remarks: resolved }, how)).toMatchObject({
    prompt: 'Nearly.\n\na.md:1: The last.',
    commentIds: [2],
  });
  const all = resolved.map((remark) => ({ ...remark, isResolved: true }));
  expect(composeReview({ ...rest, body: '', remarks: all }, how)).toEqual({ kind: 'nothing' });
  const stop = all.map((remark) => ({ ...remark, text: '@pagewright-test stop' }));
  expect(composeReview({ ...rest, body: '', remarks: stop }, how)).toMatchObject({ kind: 'stop' });
});
