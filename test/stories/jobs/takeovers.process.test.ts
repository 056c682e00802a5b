import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../../harness/eventually.ts';
import { spawnService } from '../../../harness/processes/spawn-service.ts';
import { edit, finish, hold, perRun, write } from '../../../harness/script-steps.ts';
import { steps } from '../../../local/model/script.ts';
import { atRequest, expireLease, settled } from '../../reliability/crash-points.ts';
import { followInstruction } from '../../reliability/instructed-model.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { createWorld } from '../../support/worlds/world.ts';

const limit = (text: string) => `# Limits\n\n${text} per minute.\n`;
const oneRun = steps([
  edit('limits.md', '60 requests', '100 requests'),
  finish('The limit is 100 now.', { title: 'Correct the limit' }),
]);
const cheer = edit('index.md', 'Welcome.', 'Welcome!');
const solve = write('limits.md', limit('100 calls'));

test('promise 10: a merge run continues on another machine from the same base commit', async () => {
  const solving = hold(solve);
  const finishing = hold(finish('Solved.'));
  await using world = await createWorld({
    script: perRun([oneRun, steps([cheer, solving.step, finishing.step])]),
  });
  const { github, database } = world;
  const rita = github.asPerson('rita');
  const spawnOn = (machine: string) =>
    spawnService(world, { environment: { DATA_DIR: join(world.directory, machine) } });
  await using first = await spawnOn('first');
  const { id } = await first.caller.create('Make it 100.');
  const { source } = await first.caller.settled(id);
  const base = await rita.pushCommit('acme/docs', 'main', { 'limits.md': limit('60 calls') }, 'Move the base');
  await first.caller.message(id, 'Happier, please.');
  await solving.asked;
  await first.kill('SIGKILL');
  await rita.pushCommit('acme/docs', 'main', { 'later.md': 'Later.\n' }, 'Move it once more');
  await expireLease(database.database, id);
  solving.release();

  // The second dies when all is frozen, before it could push.
  await using second = await spawnOn('second');
  await finishing.asked;
  const minting = github.inject({ method: 'POST', path: /\/access_tokens$/, kind: 'hold-reset' });
  finishing.release();
  await eventually(() => minting.hits() === 1 || undefined);
  await second.kill('SIGKILL');
  minting.release();
  await expireLease(database.database, id);

  await using third = await spawnOn('third');
  expect(await settled(world, id)).toBe('completed');
  const { runs } = await readRuns(third.caller, id);
  const look = lookAt(world);
  expect(runs.map(({ code }) => code)).toEqual(['published', 'published']);
  expect((await look.git('rev-parse', `${source.ref}^@`)).split('\n')).toEqual([runs[0]?.commit, base]);
  expect(await look.file(source.ref, 'index.md')).toContain('Welcome!');
  expect(await look.file(source.ref, 'limits.md')).toContain('100 calls');
  expect(await look.comments(1)).toHaveLength(1);
  expect(github.duplicates()).toEqual([]);
});

test('promise 1: after a takeover the run finds the dead process’s signed commit, also below a person’s, and makes no second', async () => {
  await using world = await createWorld({ script: followInstruction });
  const { github, database } = world;
  github.setRules('acme/docs', 'pagewright/**', [{ type: 'required_signatures' }]);
  const held = await atRequest('POST', /^\/graphql$/)(world);
  await using first = await spawnService(world);
  const { id } = await first.caller.create('First');
  await held.reached();
  await first.kill('SIGKILL');
  held.release();
  const look = lookAt(world);
  const [branch = ''] = await look.branches();
  const theirs = await github.asPerson('rita').pushCommit('acme/docs', branch, { 'theirs.md': 'Theirs.\n' }, 'Mine');
  await expireLease(database.database, id);
  await using second = await spawnService(world);
  expect(await settled(world, id)).toBe('completed');
  const { runs } = await readRuns(second.caller, id);
  expect(await look.commits(branch)).toEqual([theirs, runs[0]?.commit]);
  expect(runs[0]?.code).toBe('published');
  expect(github.duplicates()).toEqual([]);
});
