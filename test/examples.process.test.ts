import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { spawnProcess } from '../harness/processes/spawn-process.ts';
import { call } from '../harness/script-steps.ts';
import { openServedWorld } from './support/worlds/served-world.ts';

type Served = Awaited<ReturnType<typeof openServedWorld>>;
let served: Served;

beforeAll(async () => {
  served = await openServedWorld({ environment: { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } });
  served.choices.push(
    { when: 'refused', script: () => ({ fault: { kind: 'status', status: 400, code: 'content_policy_violation' } }) },
    {
      when: '',
      script: ({ turn, messages }) => {
        const path = `page-${messages[0]?.text.length}.md`;
        if (turn === 0) return call('write_file', { path, content: '# Page\n' });
        return call('finish', { summary: 'Wrote a page.', title: 'Write a page' });
      },
    },
  );
});
afterAll(() => served[Symbol.asyncDispose]());

/** A program as a caller runs it, who knows only the address, the project and the key. */
function run(
  program: string,
  args: string[],
  more: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { PATH, HOME } = process.env;
  const { service, world } = served;
  const PAGEWRIGHT = { PAGEWRIGHT_URL: service.url, PAGEWRIGHT_PROJECT: world.projectId, PAGEWRIGHT_KEY: world.key };
  const env = { PATH, HOME, PAGEWRIGHT_POLL_SECONDS: '0.2', ...PAGEWRIGHT, ...more };
  return new Promise((done) => {
    execFile(program, args, { env, cwd: world.directory }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
  });
}
const pullRequest = /http:\S+\/acme\/docs\/pull\/\d+/;
const countJobs = async () =>
  (await served.world.database.database.selectFrom('jobs').select('job_id').execute()).length;

test('send-and-wait.sh prints the pull request, and why a job failed', async () => {
  const script = resolve('examples/send-and-wait.sh');
  const done = await run('bash', [script, 'Say "hello" to $HOME & friends.']);
  expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(pullRequest) });
  const jobId = /^job (\S+)$/m.exec(done.stderr)?.[1] ?? '';
  expect(JSON.stringify(await served.caller.runs(jobId))).toContain('Say \\"hello\\" to $HOME & friends.');
  expect(await run('bash', [script, '   '])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('prompt'),
  });
  const failed = await run('bash', [script, 'This is refused.']);
  expect(failed).toMatchObject({ code: 1, stdout: 'no pull request\n', stderr: expect.stringContaining('refused') });
});

const workflowShape = z.object({
  jobs: z.object({
    documentation: z.object({ steps: z.tuple([z.object({ env: z.record(z.string(), z.string()), run: z.string() })]) }),
  }),
});

test('the workflow waits for the pull request, and makes no second job when it is run again', async () => {
  const { jobs } = workflowShape.parse(parse(readFileSync('examples/github-actions.yml', 'utf8')));
  const [{ env, run: script }] = jobs.documentation.steps;
  expect(script).not.toContain('${{');
  const summary = join(served.world.directory, 'summary');
  const values = {
    RELEASE: 'v2',
    NOTES: 'Nothing "special"; $(exit 7)',
    IDEMPOTENCY_KEY: 'release-1-2',
    GITHUB_STEP_SUMMARY: summary,
  };
  expect(Object.keys(env).filter((name) => !name.startsWith('PAGEWRIGHT_'))).toEqual(
    Object.keys(values).filter((name) => !name.startsWith('GITHUB_')),
  );
  const before = await countJobs();
  const first = await run('bash', ['-e', '-c', script], values);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/^completed: http/), stderr: '' });
  expect(await run('bash', ['-e', '-c', script], values)).toEqual(first);
  expect(await countJobs()).toBe(before + 1);
  expect(readFileSync(summary, 'utf8')).toMatch(pullRequest);
  const failed = await run('bash', ['-e', '-c', script], {
    ...values,
    NOTES: 'This is refused.',
    IDEMPOTENCY_KEY: 'release-2-2',
  });
  expect(failed).toMatchObject({
    code: 1,
    stdout: 'failed: no pull request\n',
    stderr: expect.stringContaining('refused'),
  });
});

test('the programs run on every Node.js that the README names: none is TypeScript', () => {
  expect(globSync('examples/*.{ts,mts,tsx}')).toEqual([]);
  expect(globSync('examples/*.mjs')).toHaveLength(2);
});

test('follow-job.mjs prints every event once, until the job ends', async () => {
  const done = await run(process.execPath, [resolve('examples/follow-job.mjs'), 'Write one more.']);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  const lines = done.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
  expect(lines.map(([seq]) => Number(seq))).toEqual(lines.map((_, index) => index + 1));
  expect([lines[0]?.[1], lines.at(-1)?.[1]]).toEqual(['job.created', 'job.completed']);
  expect(done.stdout).toMatch(pullRequest);
});

test('receive-webhooks.mjs takes what Pagewright signed, once, and nothing else', async () => {
  const port = await findFreePort();
  const { world, service } = served;
  const url = `http://127.0.0.1:${port}/`;
  const created = await fetch(`${service.url}/v2/agent/${world.projectId}/webhook`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['job.completed'] }),
  });
  const { secret } = z.object({ secret: z.string() }).parse(await created.json());
  await using receiver = await spawnProcess({
    command: [process.execPath, resolve('examples/receive-webhooks.mjs')],
    cwd: join(world.directory, 'receiver'),
    environment: { WEBHOOK_SIGNING_SECRET: secret, RECEIVER_PORT: String(port) },
  });
  await receiver.started(() => receiver.lines.find((line) => line.startsWith('listening')));

  const { id } = await served.caller.create('Write for the receiver.');
  const told = await eventually(() => receiver.lines.find((line) => line.startsWith('job.completed')));
  expect(told).toMatch(new RegExp(`^job\\.completed ${id} ${pullRequest.source}$`));

  const forged = { type: 'job.completed', timestamp: '', data: { job: { id: 'forged', prLink: null }, run: null } };
  const refused = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    },
    body: JSON.stringify(forged),
  });
  expect(refused.status).toBe(401);
  expect(receiver.lines.join('\n')).not.toContain('forged');
});

async function findFreePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
