import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, glob, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finish, write } from '../../../harness/script-steps.ts';
import { type Script, steps } from '../../../local/model/script.ts';
import { type ModelServer, startModelServer } from '../../../local/model/start-model-server.ts';

/** The demo in a process group and a folder of its own, as a terminal runs it. Disposing leaves nothing of it. */
async function startDemo({
  project = resolve('.'),
  args = [],
  environment = {},
}: {
  project?: string;
  args?: string[];
  environment?: Record<string, string>;
} = {}) {
  const TMPDIR = await mkdtemp(join(tmpdir(), 'pw-demo-'));
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [join(project, 'local/demo.ts'), ...args], {
    cwd: project,
    env: { PATH, HOME, NODE_COMPILE_CACHE, TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const group = -(child.pid ?? 0);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => void errors.push(line));
  const output = createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line));
  const listProcesses = async () => {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pgid=,args=']);
    return stdout.split('\n').filter((line) => line.trim().startsWith(`${child.pid} `) || line.includes(TMPDIR));
  };
  return {
    lines,
    errors,
    ended,
    async printed(text: string) {
      while (!lines.some((line) => line.includes(text))) {
        if ((child.exitCode ?? child.signalCode) !== null)
          throw new Error(`it ended before it printed ${text}:\n${errors.join('\n')}`);
        await Promise.race([once(output, 'line'), ended]);
      }
    },
    /** Ctrl-C as npm makes of it: everybody gets it from the terminal, and the demo once more from npm. */
    interrupt() {
      process.kill(group, 'SIGINT');
      child.kill('SIGINT');
    },
    async wrote(pattern: string) {
      while ((await Array.fromAsync(glob(pattern, { cwd: TMPDIR }))).length === 0) await delay(5);
    },
    async runs(program: string) {
      while (!(await listProcesses()).some((line) => line.includes(program))) await delay(5);
    },
    /** What it left: files, and processes that are of its group or that work in its folder. */
    findLeftovers: async () => ({ files: await readdir(TMPDIR), processes: await listProcesses() }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      await rm(TMPDIR, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

const environmentOf = ({ url }: ModelServer) => ({
  OPENAI_API_KEY: 'sk-of-the-shell',
  OPENAI_MODEL: 'gpt-x',
  OPENAI_BASE_URL: url,
});

type Demo = Awaited<ReturnType<typeof startDemo>>;

/** A model that writes a page and is done, whatever the checks say: with one of its own, the demo is short. */
const ownModel: Script = ({ turn }) =>
  turn === 0 ? write('new.mdx', '# New\n') : finish('It is written.', { title: 'Write a page' });

describe('in a project with a .env, which the demo does not read', () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'pw-project-'));
    for (const name of ['local', 'src', 'app.yml', 'package.json'])
      await cp(name, join(project, name), { recursive: true });
    await symlink(resolve('node_modules'), join(project, 'node_modules'));
    await writeFile(join(project, '.env'), 'DATABASE_URL=postgresql://127.0.0.1:1/production\nRUN_MAX_TURNS=none\n');
  });
  afterAll(() => rm(project, { recursive: true }));

  // In the last two cases the service is ready by then, a key is made, and a run has begun.
  test.each<[string, string[], (demo: Demo) => Promise<void>]>([
    ['while the service loads', [], (demo) => demo.printed('2. Pagewright')],
    ['while the database is made', [], (demo) => demo.wrote('pagewright-demo-*/data/postgres-new-*')],
    ['while a key is made', [], (demo) => demo.runs('pagewright.ts keys')],
    ['while an agent works', [], (demo) => demo.printed('status: active')],
    ['while everything keeps running', ['--stay'], (demo) => demo.printed('Everything keeps running')],
  ])('Ctrl-C %s ends the demo at once and leaves nothing', async (_name, args, reached) => {
    await using model = await startModelServer({ script: ownModel });
    await using demo = await startDemo({ project, args, environment: environmentOf(model) });
    await reached(demo);
    const interruptedAt = Date.now();
    demo.interrupt();
    expect(await demo.ended).toEqual({ code: 130, signal: null });
    expect(Date.now() - interruptedAt).toBeLessThan(20_000);
    expect(demo.lines.slice(-2)).toEqual(['', 'stopped']);
    expect(demo.errors).toEqual([]);
    expect(await demo.findLeftovers()).toEqual({ files: [], processes: [] });
  });
});

test('the demo shows a job from its first instruction to the merge, with a review that is answered in its threads', async () => {
  await using demo = await startDemo();
  expect(await demo.ended).toEqual({ code: 0, signal: null });
  const expectedTexts = [
    'Pull request: http',
    'on both remarks',
    'run 3: ended, published',
    'in the thread on errors.mdx:',
    'in the thread on rate-limits.mdx:',
    'Commit: http',
    'on the question',
    'run 4: ended, unchanged',
    'sent the agent back:',
    'exitcodes',
    "+          { text: 'Run it in CI', link: '/guide/ci' },",
    '[exit codes](../reference/exit-codes.md)',
    'rita merged acme/relay#1',
    'Pull request: http',
    '- acme/relay#1: Let replay wait longer',
    '/src/replay.ts#L3-L4)',
    '+`--timeout` says.',
    'status: archived',
    'Done',
    'docs/getting-started.md',
  ];
  let from = 0;
  for (const text of expectedTexts) {
    const found = demo.lines.findIndex((line, index) => index >= from && line.includes(text));
    expect(found, `${text}, after line ${from}`).toBeGreaterThan(-1);
    from = found + 1;
  }
  expect(demo.errors).toEqual([]);
  expect(await demo.findLeftovers()).toEqual({ files: [], processes: [] });
});

test('with an API key in the shell, the demo names its model, and reports why a run failed', async () => {
  await using model = await startModelServer({ script: steps([]), apiKey: 'sk-another' });
  await using demo = await startDemo({ environment: environmentOf(model) });
  expect(await demo.ended).toEqual({ code: 1, signal: null });
  const heading = demo.lines.findIndex((line) => line.startsWith('2. '));
  expect(demo.lines[heading + 1]).toContain(`gpt-x at ${model.url}`);
  expect(demo.lines.join('\n')).not.toContain('sk-of-the-shell');
  expect(demo.errors).toEqual([expect.stringMatching(/^The run opened no pull request\. .*OPENAI_API_KEY/)]);
  expect(await demo.findLeftovers()).toEqual({ files: [], processes: [] });
});
