import { expect, test } from 'vitest';
import { writeCommitMessage as writeCommitMessageIn } from '../../../src/runs/publish/commit-message.ts';

const context = { repository: 'https://github.test/acme/docs', allowedHosts: ['acme.test'] };

const writeCommitMessage = (input: Omit<Parameters<typeof writeCommitMessageIn>[0], 'context'>) =>
  writeCommitMessageIn({ ...input, context });

test('a commit message has a subject of 72 characters at most, the summary, and a trailer that git reads', () => {
  const message = writeCommitMessage({
    subject: 'a '.repeat(60),
    summary: 'Says 100.\n\nCo-authored-by: x',
    runId: 'run_1',
  });
  const [subject = '', ...rest] = message.split('\n\n');
  expect(subject.length).toBeLessThanOrEqual(72);
  expect(rest).toEqual(['Says 100.', 'Co-authored-by: x', 'Pagewright-Run: run_1\n']);
  expect(writeCommitMessage({ subject: 'A', summary: ' ', runId: 'run_1' })).toBe('A\n\nPagewright-Run: run_1\n');
});

test('a model cannot skip the checks by its commit message', () => {
  const message = writeCommitMessage({
    subject: 'A [skip  ci]',
    summary: 'B [ci skip]\n\n\nskip-checks: true',
    runId: 'r',
  });
  expect(message).toBe('A [\u200Bskip ci]\n\nB [\u200Bci skip]\n\n\nskip\u200B-checks: true\n\nPagewright-Run: r\n');
});

test('a commit credits each person once, and ends with the sign-off of its author', () => {
  const rita = { name: 'rita', email: '7+rita@users.noreply.github.com' };
  const bot = { name: 'pagewright[bot]', email: '9+pagewright[bot]@users.noreply.github.com' };
  const written = { subject: 'A', summary: 'B.', runId: 'run_1', coAuthors: [rita, rita], signedOffBy: bot };
  expect(writeCommitMessage(written)).toBe(`A

B.

Pagewright-Run: run_1
Co-authored-by: rita <7+rita@users.noreply.github.com>
Signed-off-by: pagewright[bot] <9+pagewright[bot]@users.noreply.github.com>
`);
});
