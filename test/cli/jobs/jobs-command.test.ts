import { expect, test } from 'vitest';
import { formatEvent } from '../../../src/cli/jobs/format-event.ts';
import { createJobsCommand, type JobsCommand } from '../../../src/cli/jobs/jobs-command.ts';
import { reportUsage } from '../../../src/cli/report-usage.ts';

const jobId = 'job_01jd2x8e4vf3r9c5w7k6t0mzqa';
async function parse(...args: string[]): Promise<JobsCommand | undefined> {
  let parsed: JobsCommand | undefined;
  const jobs = createJobsCommand({
    userName: 'rita',
    readStdin: async () => ' From a file.\n',
    run: async (command) => {
      parsed = command;
    },
  });
  reportUsage(jobs, 'pagewright jobs');
  // Help goes to stderr when the command is missing.
  jobs.configureOutput({ writeErr: () => {} });
  await jobs.parseAsync(args, { from: 'user' });
  return parsed;
}
const target = { owner: 'acme', repo: 'docs', isJson: false, isDetached: false };

test.each<[string, string[], object]>([
  [
    'create',
    ['create', 'acme/docs', 'Fix it.'],
    { kind: 'create', prompt: 'Fix it.', author: 'rita', ref: null, draft: null },
  ],
  [
    'create with options',
    ['create', 'acme/docs', '-', '--ref', 'v2', '--model', 'gpt-5', '--draft', '--as', 'ci', '--detach', '--json'],
    { prompt: 'From a file.', author: 'ci', ref: 'v2', model: 'gpt-5', draft: true, isDetached: true, isJson: true },
  ],
  [
    'a ref as git writes it',
    ['create', 'acme/docs', 'Fix it.', '--ref', 'refs/heads/docs/v2'],
    { kind: 'create', ref: 'docs/v2' },
  ],
  ['message', ['message', 'acme/docs', jobId, 'And this.'], { ...target, kind: 'message', jobId, prompt: 'And this.' }],
  ['watch', ['watch', 'acme/docs', jobId], { ...target, kind: 'watch', jobId }],
  [
    'list',
    ['list', 'acme/docs'],
    { ...target, kind: 'list', statuses: ['active', 'completed', 'failed', 'archived'], limit: 20 },
  ],
  [
    'list with options',
    ['list', 'acme/docs', '--status', 'active, failed', '--limit', '100', '--json'],
    { kind: 'list', statuses: ['active', 'failed'], limit: 100, isJson: true },
  ],
  ['cancel', ['cancel', 'acme/docs', jobId], { ...target, kind: 'cancel', jobId }],
])('%s is read', async (_name, args, expected) => {
  expect(await parse(...args)).toMatchObject(expected);
});

test.each<[string[], RegExp]>([
  [[], /missing command/],
  [['delete', 'acme/docs'], /unknown command 'delete'/],
  [['create', 'acme', 'Fix it.'], /the value 'acme' is invalid for argument 'OWNER\/REPO': write the repository/],
  [['create', 'acme/docs'], /missing required argument 'PROMPT'/],
  [['create', 'acme/docs', 'Fix', 'it'], /Expected 2 arguments but got 3/],
  [['create', 'acme/docs', ' '], /the prompt must have 1 to 32,000 characters/],
  [['create', 'acme/docs', '\u200b \u202e'], /the prompt must have visible characters/],
  [['create', 'acme/docs', 'Fix it.', '--ref', 'refs/tags/v1'], /write the name of a branch/],
  [['create', 'acme/docs', 'Fix it.', '--ref', '../x'], /--ref/],
  [['create', 'acme/docs', 'Fix it.', '--as', '\u202e'], /--as/],
  [['list', 'acme/docs', '--status', 'done'], /write some of: active, completed, failed, archived/],
  [['list', 'acme/docs', '--limit', '0'], /write a number from 1 to 100/],
  [['watch', 'acme/docs', 'job_1'], /job_1 is not a job id/],
  [['watch', 'acme/docs', jobId, '--detach'], /unknown option '--detach'/],
  [['cancel', 'acme/docs', jobId, '--draft'], /unknown option '--draft'/],
  [['create', 'acme/docs', 'Fix it.', '--force'], /force/],
])('%j is refused', async (args, message) => {
  await expect(parse(...args)).rejects.toThrow(message);
});

test('a line has no control characters and is bounded', () => {
  const at = new Date('2026-11-20T20:06:07Z');
  const text = `Hello\u001b[31m\n\u202eworld ${'x'.repeat(500)}`;
  const line = formatEvent({ type: 'turn.answered', at, data: { text } }) ?? '';
  expect(line).toMatch(/^20:06:07 {4}Hello \[31m world x+…$/);
  expect(line.length).toBeLessThanOrEqual(210);
  const ended = { number: 1, code: 'unchanged', sentence: 'Nothing needed to change.', tokensIn: 9, tokensOut: 1 };
  expect(
    formatEvent({ type: 'run.ended', at, data: { ...ended, summary: 'It is 100.\n\n\u001b[31mSee /limits.' } }),
  ).toBe(
    '20:06:07  run 1 ended, unchanged: Nothing needed to change. (9 tokens in, 1 out)\n            It is 100.\n             [31mSee /limits.',
  );
  expect(formatEvent({ type: 'run.ended', at, data: ended })).not.toContain('\n');
  expect(formatEvent({ type: 'of.later', at, data: {} })).toBeUndefined();
});
