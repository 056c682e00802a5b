import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { finish, perRun } from '../../harness/script-steps.ts';
import { chosen, type Script, steps } from '../../local/model/script.ts';
import { startModelServer } from '../../local/model/start-model-server.ts';
import { docusaurusScripts } from './scripts/docusaurus.ts';
import { fillIn } from './scripts/fill-in.ts';
import { ledgerScripts } from './scripts/follow/ledger.ts';
import { orchardScripts } from './scripts/follow/orchard.ts';
import type { Call } from './scripts/script.ts';

/** Runs the evaluation as a process, with the model server at `url`. */
async function evaluate(url: string, ...args: string[]) {
  return start(url, args).ended;
}

function start(url: string, args: string[], tmpdir = process.env.TMPDIR) {
  const environment = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    TMPDIR: tmpdir,
    OPENAI_BASE_URL: url,
    OPENAI_MODEL: 'test',
  };
  const prices = { OPENAI_PRICES: '{"test": {"in": 1, "cachedIn": 0.1, "out": 4}}' };
  const child = spawn(process.execPath, ['eval/run.ts', ...args], {
    env: { ...environment, ...prices },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = async () => {
    const closed = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await closed;
    return { code, stdout, stderr };
  };
  return { ended: read(), interrupt: () => child.kill('SIGINT') };
}

/** The calls of a run. */
const play =
  (calls: readonly Call[]): Script =>
  (request) =>
    steps(calls.map(([name, args]) => ({ calls: [{ name, arguments: fillIn(args, request) }] })))(request);

test('the evaluation says what a model did right, what not and why, and what it took', async () => {
  const review = docusaurusScripts['docusaurus/review']?.right.map(play) ?? [];
  const script = chosen([
    { when: 'restore a flag', script: steps([finish('For 30 days.')]) },
    { when: 'Enterprise plan', script: steps([finish('Done.')]) },
    { when: 'Add exactly this', script: perRun(review) },
    { when: 'Call it export_csv', script: play(ledgerScripts['ledger/renamed-function']?.right[0] ?? []) },
    { when: 'Let entries live for', script: play(orchardScripts['orchard/one-package']?.right[0] ?? []) },
    { when: 'Update express', script: steps([finish('Nothing to document: a library has a new version.')]) },
  ]);
  await using server = await startModelServer({ script });
  const following = 'ledger/renamed-function,orchard/one-package,courier/dependencies';
  const tasks = `mintlify/question,docusaurus/review,fumadocs/impossible,${following}`;
  const { code, stdout, stderr } = await evaluate(server.url, '--tasks', tasks, '--json', '--concurrency', '3');
  expect(stderr).toBe('');
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.slice(0, -1).toSorted((a, b) => (a.task < b.task ? -1 : 1))).toMatchObject([
    { task: 'courier/dependencies', right: true, codes: ['unchanged'], changed: [] },
    { task: 'docusaurus/review', right: true, reasons: [], turns: 5, codes: ['published', 'published'] },
    {
      task: 'fumadocs/impossible',
      right: false,
      reasons: [/Enterprise/, /no\|not/].map((pattern) => expect.stringMatching(pattern)),
    },
    { task: 'ledger/renamed-function', right: true, reasons: [], codes: ['published'] },
    { task: 'mintlify/question', right: true, turns: 1, codes: ['unchanged'], answer: 'For 30 days.', changed: [] },
    { task: 'orchard/one-package', right: true, reasons: [], codes: ['published'], changed: ['docs/server.md'] },
  ]);
  expect(lines.at(-1).total).toMatchObject({ right: 5, of: 6, cost: expect.any(Number) });
  expect(code).toBe(1);
});

test('a model server that does not work is said before any task', async () => {
  await using server = await startModelServer({ script: steps([]), apiKey: 'another' });
  const refused = await evaluate(server.url, '--tasks', 'mintlify/question');
  expect(refused.stderr).toMatch(/^eval: the model server at .* refuses OPENAI_API_KEY with 401\n$/);
  await server.stop();
  const gone = await evaluate(server.url, '--tasks', 'mintlify/question');
  expect(gone.stderr).toMatch(/^eval: the model server at .* cannot be reached: .+\n$/);
  expect([refused.code, gone.code]).toEqual([2, 2]);
});

test('a task that does not exist is a mistake of usage', async () => {
  expect(await evaluate('http://127.0.0.1:1/v1', '--tasks', 'nothing')).toMatchObject({ code: 2, stdout: '' });
});

test('an interrupt ends the evaluation in the middle of a task, and leaves no file', async () => {
  await using server = await startModelServer({ script: () => ({ fault: { kind: 'hang' } }) });
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-interrupt-'));
  const { ended, interrupt } = start(server.url, ['--tasks', 'mintlify/question'], directory);
  await eventually(() => server.requests[0]);
  interrupt();
  expect(await ended).toEqual({ code: 130, stdout: '', stderr: 'eval: ended by SIGINT\n' });
  expect(await readdir(directory)).toEqual([]);
  await rm(directory, { recursive: true });
});
