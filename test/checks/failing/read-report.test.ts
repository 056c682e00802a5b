import { expect, test } from 'vitest';
import { type ReadCheck, writeSafeReport } from '../../../src/checks/failing/read-report.ts';
import { sampleKeys } from '../../support/values/sample-keys.ts';

const annotations: ReadCheck['annotations'] = [];
const check = (log: string, description = ''): ReadCheck => ({
  check: {
    kind: 'status',
    key: 'build',
    name: 'build',
    url: null,
    status: { context: 'build', state: 'failure', description, url: null },
  },
  annotations,
  log,
});
const stamped = (text: string) =>
  text
    .split('\n')
    .map((line) => `2026-11-28T22:10:11.1234567Z ${line}`)
    .join('\n');

test('promise 35: keys in the log of a check, also of several lines, never get to the model; what GitHub hid stays', async () => {
  for (const key of Object.values(sampleKeys)) {
    const log = stamped(`token ***\n${key}\n${'filler of the build\n'.repeat(400)}##[error]Broken.`);
    const report = await writeSafeReport([check(log)]);
    expect(report).toContain('Broken.');
    expect(report).not.toContain(key.slice(8, 40));
    expect(await writeSafeReport([check(stamped(`token ***\n${key}\n##[error]Broken.`))])).toContain('token ***');
  }
});

test('promise 35: keys in what a check says of itself are hidden, too', async () => {
  const [key = ''] = Object.values(sampleKeys);
  expect(await writeSafeReport([check('', `It used ${key} for that.`)])).toContain('[secret]');
});
