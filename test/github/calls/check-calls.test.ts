import nock from 'nock';
import { expect, test } from 'vitest';
import { createClient } from '../create-client.ts';

const docs = () => nock('https://api.github.com');
const path = '/repos/acme/docs';
const run = (id: number) => ({
  id,
  name: `check ${id}`,
  head_sha: 'abc',
  status: 'completed',
  conclusion: 'success',
  output: { annotations_count: 0 },
});
const status = (id: number) => ({ context: `ci/${id}`, state: 'success' });
const list = <Item>(count: number, make: (id: number) => Item) => Array.from({ length: count }, (_, id) => make(id));

test('more than a hundred check runs and statuses of a commit are read from all pages', async () => {
  const answer = (call: string, first: object, second: object) => {
    docs().get(`${path}/commits/abc/${call}?page=1&per_page=100`).reply(200, first);
    docs().get(`${path}/commits/abc/${call}?page=2&per_page=100`).reply(200, second);
  };
  answer('check-runs', { check_runs: list(100, run) }, { check_runs: list(30, run) });
  answer('status', { statuses: list(100, status) }, { statuses: list(30, status) });
  const client = createClient();
  expect(await client.listCheckRuns('abc')).toHaveLength(130);
  expect(await client.listStatuses('abc')).toHaveLength(130);
});

test('the log of a job is its end in whole lines, however long it is', async () => {
  const line = '2026-11-28T10:00:00.1234567Z Täst\n';
  const whole = line.repeat(40_000);
  docs().get(`${path}/actions/jobs/7/logs`).reply(200, whole);
  const log = (await createClient().fetchJobLog(7)) ?? '';
  expect(Buffer.byteLength(log)).toBeGreaterThan(500_000);
  expect(log).toBe(line.repeat(log.split('\n').length - 1));
  docs().get(`${path}/actions/jobs/8/logs`).reply(200, 'a\nb\n');
  expect(await createClient().fetchJobLog(8)).toBe('a\nb\n');
});
