import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../../harness/script-steps.ts';
import { archiveJob } from '../../../src/jobs/archive-job.ts';
import { inTransaction } from '../../../src/store/store.ts';
import { runPagewright } from '../../support/run/run-pagewright.ts';
import { openServedWorld } from '../../support/worlds/served-world.ts';

type Served = Awaited<ReturnType<typeof openServedWorld>>;
let served: Served;

beforeAll(async () => {
  served = await openServedWorld();
  served.choices.push(
    {
      when: 'Be refused.',
      script: () => ({ fault: { kind: 'status', status: 400, code: 'content_policy_violation' } }),
    },
    {
      when: 'Write a page.',
      script: ({ turn }) =>
        turn === 0
          ? call('write_file', { path: 'page.md', content: '# Page\n' })
          : call('finish', { summary: 'Wrote a page.', title: 'Write a page' }),
    },
  );
});
afterAll(() => served[Symbol.asyncDispose]());

/** Runs the command beside the running service, with its environment. */
function jobs(...args: string[]) {
  const { environment, directory } = served.world;
  return runPagewright(['jobs', ...args], { environment: { USER: 'rita', ...environment }, cwd: directory });
}

test('create shows the job as it happens, message continues it, watch shows all of it', async () => {
  const created = await jobs('create', 'acme/docs', 'Write a page.');
  expect(created.stderr).toBe('');
  const jobId = /^job_\w{26}$/m.exec(created.stdout)?.[0] ?? '';
  for (const shown of [
    /run 1 started/,
    /changed page\.md \+1 -0/,
    /pull request opened: http\S+\/pull\/\d+/,
    /job completed\n$/,
  ])
    expect(created.stdout).toMatch(shown);
  expect(created.code).toBe(0);

  const refused = await jobs('message', 'acme/docs', jobId, 'Be refused.');
  expect(refused.stdout).not.toContain('run 1 started');
  expect(refused.stdout).toMatch(/rita: Be refused\.[\s\S]*job failed\n$/);
  expect(refused.code).toBe(1);

  const watched = await jobs('watch', 'acme/docs', jobId, '--json');
  const events = watched.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect([events[0].type, events.at(-1).type, watched.code]).toEqual(['job.created', 'job.failed', 1]);

  const line = /^job_\w{26} {2}failed {5}\d{4}-\d\d-\d\d \d\d:\d\d {2}Write a page {2}http\S+\/pull\/\d+\n$/;
  expect(await jobs('list', 'acme/docs', '--status', 'failed')).toEqual({
    code: 0,
    stdout: expect.stringMatching(line),
    stderr: '',
  });
  expect((await jobs('list', 'acme/docs', '--status', 'active')).stdout).toBe('');
  const [listed] = (await jobs('list', 'acme/docs', '--json')).stdout
    .trimEnd()
    .split('\n')
    .map((row) => JSON.parse(row));
  expect(listed).toMatchObject({
    jobId,
    status: 'failed',
    name: 'Write a page',
    pullRequest: expect.stringMatching(/pull/),
  });

  const { store } = served.world.database;
  await inTransaction(store, (tx) => archiveJob(tx, jobId, 'merged'));
  expect((await jobs('watch', 'acme/docs', jobId)).code).toBe(0);

  const cancelled = await jobs('cancel', 'acme/docs', jobId);
  expect([cancelled.stdout, cancelled.code]).toEqual([`${jobId} is archived\n`, 0]);
});

test('what cannot be done is one line on stderr', async () => {
  const unknown = await jobs('watch', 'acme/docs', `job_${'0'.repeat(26)}`);
  expect(unknown).toEqual({ code: 1, stdout: '', stderr: `jobs: acme/docs has no job job_${'0'.repeat(26)}\n` });
  const nowhere = await jobs('create', 'acme/site', 'Write.', '--detach');
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringMatching(/^jobs: acme\/site is not a project: .*\n$/),
  ]);
  const wrong = await jobs('create', 'acme/docs');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('see: pagewright jobs ')]);
});
