import { expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { edit, finish, write } from '../../harness/script-steps.ts';
import { shortTiming } from '../../harness/short-timing.ts';
import { startInWorld } from '../../harness/start-service.ts';
import { steps } from '../../local/model/script.ts';
import { createWorld } from '../support/worlds/world.ts';

const config = 'docs/.vitepress/config.ts';

test('promise 42: a run that a restart met inside of code that hangs the parser goes on with its next turn', async () => {
  await using world = await createWorld({
    files: { [config]: "export default { title: 'Docs' };\n", 'docs/index.md': '# Docs\n' },
    script: steps([
      write(config, `export default ${'a<T>('.repeat(30)}`),
      edit('docs/index.md', '# Docs', '# The docs'),
      finish('The page has a longer title.'),
    ]),
  });
  const { database } = world.database;
  const startWithin = (taskTimeoutMs: number) =>
    startInWorld(world, {}, { ...shortTiming, threads: { ...shortTiming.threads, taskTimeoutMs } });
  const readTurns = () => database.selectFrom('turns').selectAll().orderBy('turn_index').execute();
  await using stopping = new AsyncDisposableStack();
  const first = stopping.use(await startWithin(600_000));
  const { id } = await first.caller.create('Make the title longer.');
  await eventually(async () => (await readTurns())[0]?.answer ?? undefined);
  await stopping.disposeAsync();
  expect(await readTurns()).toMatchObject([{ results: null }]);

  await using second = await startWithin(1_000);
  await second.caller.settled(id);
  expect(await second.caller.get(id)).toMatchObject({ status: 'completed' });
  expect(await readTurns()).toMatchObject([
    { results: [{ isError: true, output: expect.stringContaining('in time') }] },
    { results: [{ isError: false }] },
    { results: [{ isError: false }] },
  ]);
});
