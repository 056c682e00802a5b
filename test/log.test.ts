import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { GitHubUnavailable } from '../src/github/refusals/errors.ts';
import { GitHubRefusal } from '../src/github/refusals/github-refusal.ts';
import { createLog } from '../src/log.ts';
import { DatabaseTimeout } from '../src/store/postgres/availability.ts';
import { createTerminal } from '../src/terminal.ts';
import { createRedactor } from '../src/text/redact.ts';

const secret = 'ghs_a-token-to-redact';

function createTestLog(level = 'info') {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { lines, log: createLog({ level, redact: createRedactor([secret]).redact, destination }) };
}

test('a line is one JSON object with its level as a word, its time and its keys', () => {
  const { lines, log } = createTestLog();
  log.info({ jobId: 'job_1' }, 'a run starts');
  log.debug('below the level');
  expect(lines).toHaveLength(1);
  const { time, ...line } = JSON.parse(lines[0] ?? '');
  expect(line).toEqual({ level: 'info', jobId: 'job_1', msg: 'a run starts' });
  expect(new Date(time).toISOString()).toBe(time);
});

test('an error is logged with its causes', () => {
  const { lines, log } = createTestLog();
  log.error({ err: new Error('could not push', { cause: new Error('the disk is full') }) }, 'broke');
  expect(lines[0]).toContain('could not push');
  expect(lines[0]).toContain('the disk is full');
});

test.each<[string, Error, boolean]>([
  ['a bug', new TypeError('x is undefined'), true],
  ['an error around a bug', new Error('could not push', { cause: new TypeError('x is undefined') }), true],
  ['an outage of GitHub', new GitHubUnavailable('no answer', { cause: new Error('aborted') }), false],
  ['a refusal', new GitHubRefusal({ reason: 'installation_gone' }), false],
  ['a closed port', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), false],
  ['an untrusted certificate', Object.assign(new Error('tls'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }), false],
  ['what comes of it', new Error('could not start', { cause: new DatabaseTimeout('no answer') }), false],
])('a line about %s says where it was thrown only if that helps: %#', (_what, error, hasStack) => {
  const { lines, log } = createTestLog();
  log.warn({ err: error }, 'broke');
  expect(lines[0]).toContain(error.message);
  expect(lines[0]?.includes('"stack"')).toBe(hasStack);
});

test('a plain-object copy of an error, as pg-boss emits, is logged like an error', () => {
  const { lines, log } = createTestLog();
  const error = Object.assign(new Error('the database is down'), { code: '57P01' });
  log.warn({ err: { ...error, message: error.message, stack: error.stack, queue: 'delivery' } }, 'broke');
  const { type, message, code } = JSON.parse(lines[0] ?? '').err;
  expect({ type, message, code }).toEqual({ type: 'Error', message: 'the database is down', code: '57P01' });
});

test.each<[string, (log: ReturnType<typeof createTestLog>['log']) => void]>([
  ['a message', (log) => log.info(`uses ${secret}`)],
  ['any key', (log) => log.info({ headers: { authorization: `token ${secret}` } }, 'asked')],
  ['the name of a key', (log) => log.info({ [secret]: 1 }, 'asked')],
  ['an error', (log) => log.error({ err: new Error(`refused ${secret}`) }, 'broke')],
  ['a child’s own fields', (log) => log.child({ url: `https://x:${secret}@x.test` }).info('asked')],
])('promise 4: a secret in %s does not reach the line', (_name, write) => {
  const { lines, log } = createTestLog();
  write(log);
  expect(lines.join('')).toContain('[secret]');
  expect(lines.join('')).not.toContain(secret);
});

test('a terminal shows a line for people, with the error below it and without secrets', () => {
  const stream = new PassThrough({ encoding: 'utf8' });
  const destination = createTerminal({ isColoured: false, destination: stream });
  const log = createLog({ level: 'info', redact: createRedactor([secret]).redact, destination });
  log.error({ jobId: 'job_1', err: new Error(`refused ${secret}`, { cause: new Error('the cause') }) }, 'it failed');
  const shown = String(stream.read());
  expect(shown).toMatch(/^\[\d\d:\d\d:\d\d\] ERROR: it failed \{"jobId":"job_1"\}\n/);
  expect(shown).toContain('"message": "refused ');
  expect(shown).toContain('the cause');
  expect(shown).not.toContain(secret);
});
