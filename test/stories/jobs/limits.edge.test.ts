import { expect, test } from 'vitest';
import { call, edit, finish, perRun, write } from '../../../harness/script-steps.ts';
import { startInWorld } from '../../../harness/start-service.ts';
import { type Script, type ScriptStep, steps } from '../../../local/model/script.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

const restless: Script = ({ turn }) => call('search', { pattern: `nothing ${turn}` });
const hangs: ScriptStep = { fault: { kind: 'hang' } };

async function runToItsEnd(script: Script, environment: Record<string, string>) {
  await using cleanup = new AsyncDisposableStack();
  const world = cleanup.use(await createWorld({ script }));
  const service = cleanup.use(await startInWorld(world, environment));
  const { caller } = service;
  const { id } = await caller.create('Make it 100.');
  const job = await caller.settled(id);
  const { runs } = await readRuns(caller, id);
  const held = cleanup.move();
  return { world, caller, job, run: runs[0], github: lookAt(world), [Symbol.asyncDispose]: () => held.disposeAsync() };
}

const talks: Script = (request) => ({ ...call('search', { pattern: `x${request.turn}` }), usage: { tokensIn: 600 } });

test.concurrent.each<[string, Script, Record<string, string>, string, string]>([
  ['turns', restless, { RUN_MAX_TURNS: '3' }, 'limit_turns', 'the limit of 3 turns.'],
  ['tokens', talks, { RUN_MAX_TOKENS: '1000' }, 'limit_tokens', 'the limit of 1,000 tokens.'],
  [
    'seconds, with a hanging model,',
    steps([hangs]),
    { RUN_MAX_SECONDS: '2' },
    'limit_seconds',
    'the limit of 2 seconds.',
  ],
])('promise 9: a limit of %s without a change fails the job and says why', async (...given) => {
  const [, script, environment, code, words] = given;
  await using ended = await runToItsEnd(script, environment);
  expect(ended.job).toMatchObject({ status: 'failed', prLink: null });
  expect(ended.run).toMatchObject({ status: 'ended', code, messages: [{ state: 'dropped', reason: code }] });
  expect(ended.run?.sentence).toContain(`Pagewright stopped at ${words} Send a smaller`);
  expect(await ended.github.branches()).toEqual([]);
});

const fill = (path: string) => write(path, `# ${path}\n`);

test.concurrent.each<[string, Script, Record<string, string>, string]>([
  ['turns', steps([fill('a.md'), restless, restless]), { RUN_MAX_TURNS: '2' }, 'limit_turns'],
  ['seconds', steps([fill('a.md'), hangs]), { RUN_MAX_SECONDS: '5' }, 'limit_seconds'],
])('promise 9: a limit of %s with a change publishes a draft that names the limit first', async (...given) => {
  const [, script, environment, code] = given;
  await using ended = await runToItsEnd(script, environment);
  expect(ended.job).toMatchObject({ status: 'completed', prLink: `${ended.world.github.webUrl}/acme/docs/pull/1` });
  expect(ended.run).toMatchObject({ code, messages: [{ state: 'answered' }] });
  const [first = ''] = ended.run?.sentence?.split(' Send a smaller') ?? [];
  expect(first).toContain('Pagewright stopped at the limit of');
  const { draft, body } = await ended.github.pullRequest(1);
  expect(draft).toBe(true);
  expect(body?.startsWith(`<!-- pagewright:start -->\n\n> [!WARNING]\n> ${first}`)).toBe(true);
  expect((await ended.github.changedFiles(ended.job.source.ref))[0]).toBe('a.md');
});

const told = /a run may change at most \d+ files? and write at most \d+ bytes/;
const finishWhenTold: Script = ({ lastResults }) =>
  told.test(lastResults[0]?.output ?? '')
    ? finish('As far as it goes.', { title: 'Add a page', description: 'Adds a page.' })
    : fill('not-told.md');

test.concurrent.each<[string, Script, Record<string, string>]>([
  ['files', () => fill('b.md'), { RUN_MAX_CHANGED_FILES: '1' }],
  ['bytes', () => write('b.md', 'b'.repeat(600)), { RUN_MAX_CHANGED_BYTES: '500' }],
])('promise 9: a run publishes no more %s than its limit, and the model is told', async (...given) => {
  const [, tooMuch, environment] = given;
  await using ended = await runToItsEnd(steps([fill('a.md'), tooMuch, finishWhenTold]), environment);
  expect(ended.job).toMatchObject({ status: 'completed', prLink: `${ended.world.github.webUrl}/acme/docs/pull/1` });
  expect(ended.run).toMatchObject({ messages: [{ state: 'answered' }] });
  expect(await ended.github.changedFiles(ended.job.source.ref)).toEqual(['a.md']);
});

test.concurrent('promise 9: a later run’s comment names its limit first, and the pull request stays ready or draft', async () => {
  const first = steps([edit('limits.md', '60', '100'), finish('Done.', { title: 'Limit', description: 'Says 100.' })]);
  const second = steps([fill('a.md'), hangs]);
  await using ended = await runToItsEnd(perRun([first, second]), { RUN_MAX_SECONDS: '6' });
  const { caller, job, github } = ended;
  await caller.message(job.id, 'More.');
  expect(await caller.settled(job.id)).toMatchObject({ status: 'completed' });
  expect((await readRuns(caller, job.id)).runs[1]).toMatchObject({ code: 'limit_seconds' });
  expect((await github.pullRequest(1)).draft).toBe(false);
  const comments = await github.comments(1);
  expect(comments).toHaveLength(1);
  expect(comments[0]?.body).toMatch(/^\*\*Pagewright stopped at the limit of 6 seconds/);
});

const times = (count: number, make: (index: number) => ScriptStep) =>
  Array.from({ length: count }, (_, index) => make(index).calls ?? []).flat();
const page = `${'A line of a long page. '.repeat(80)}\n`;

test.concurrent('promise 9: a model with a thousand files, ten megabytes of reads and a five-megabyte answer ends normally', async () => {
  const script = steps([
    write('long.md', page.repeat(20)),
    { calls: times(1_000, (index) => fill(`a${index}.md`)) },
    { calls: times(300, () => call('read_file', { path: 'long.md' })) },
    { text: 'All done. '.repeat(512 * 1024) },
  ]);
  await using ended = await runToItsEnd(script, {});
  expect(ended.job).toMatchObject({ status: 'completed' });
  expect(ended.run).toMatchObject({ code: 'published', turns: 4 });
  const { changed_files, body } = await ended.github.pullRequest(1);
  expect(changed_files).toBe(100);
  expect(body?.length).toBeLessThan(65_536);
  const sizes = ended.world.model.requests.map(({ body }) => JSON.stringify(body).length);
  expect(Math.max(...sizes)).toBeLessThan(2_000_000);
});

test.concurrent('promise 9: a model that repeats itself is stopped long before its limit of turns', async () => {
  await using ended = await runToItsEnd(() => call('read_file', { path: 'index.md' }), { RUN_MAX_TURNS: '50' });
  expect(ended.job).toMatchObject({ status: 'failed' });
  expect(ended.run).toMatchObject({ code: 'stuck' });
  expect(ended.run?.turns).toBeLessThan(10);
});
