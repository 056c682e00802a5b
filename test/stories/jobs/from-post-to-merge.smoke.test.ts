import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createCaller } from '../../../harness/caller.ts';
import { eventually } from '../../../harness/eventually.ts';
import { spawnService } from '../../../harness/processes/spawn-service.ts';
import { edit, finish, perRun } from '../../../harness/script-steps.ts';
import { chosen, steps } from '../../../local/model/script.ts';
import { atModelRequest, settled } from '../../reliability/crash-points.ts';
import { readGitHub } from '../../reliability/github-state.ts';
import { countRepeats, followInstruction } from '../../reliability/instructed-model.ts';
import { fetchSamples } from '../../support/values/read-samples.ts';
import { oneRun } from '../../support/worlds/correction.ts';
import { lookAt, readRuns } from '../../support/worlds/scenario.ts';
import { createWorld, type World } from '../../support/worlds/world.ts';

const prompt = 'Make it 100.';
const secondRun = steps([edit('index.md', 'Welcome.', 'Welcome!'), finish('Happier.')]);

const createdShape = z.object({ projectId: z.string(), key: z.string() });

/** Makes a key as an operator does: with the command, in a process of its own. */
async function createKeyByCommand({ environment, directory }: World) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [resolve('src/pagewright.ts'), 'keys', 'create', 'acme/docs', '--name', 'by-command', '--json'],
    { cwd: directory, env: { PATH: process.env.PATH, ...environment } },
  );
  return createdShape.parse(JSON.parse(stdout));
}

test.concurrent('a key is made, a job is posted, a comment changes its pull request, and the merge archives it', async () => {
  await using world = await createWorld({ script: chosen([{ when: prompt, script: perRun([oneRun, secondRun]) }]) });
  await using service = await spawnService(world, { command: ['npm', 'start'] });
  const caller = createCaller({ url: service.url, project: await createKeyByCommand(world) });
  const { id } = await caller.create(prompt);
  const { source, prLink } = await caller.settled(id);
  expect(prLink).toBe(`${world.github.webUrl}/acme/docs/pull/1`);
  const look = lookAt(world);
  expect(await look.file(source.ref, 'limits.md')).toContain('100 requests');

  const rita = world.github.asPerson('rita');
  rita.comment('acme/docs', 1, '@pagewright-test Happier, please.');
  const comments = await eventually(async () => {
    const found = await look.comments(1);
    return found.length === 2 ? found : undefined;
  });
  expect(comments[1]?.body).toContain('Happier.');
  expect(await caller.settled(id)).toMatchObject({ status: 'completed' });
  expect(await look.file(source.ref, 'index.md')).toContain('Welcome!');
  const { runs } = await readRuns(caller, id);
  expect(runs.map(({ code, messages }) => [code, messages.map(({ state }) => state)])).toEqual([
    ['published', ['answered']],
    ['published', ['answered']],
  ]);

  await rita.mergePullRequest('acme/docs', 1);
  expect(await caller.until(id, ({ status }) => status === 'archived')).toMatchObject({ status: 'archived', prLink });
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  const samples = await fetchSamples(service.url);
  expect([...samples].filter(([name]) => name.startsWith('pagewright_runs_ended_total'))).not.toEqual([]);
  expect(world.github.duplicates()).toEqual([]);
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

test.concurrent('promises 1 and 10: another process continues the run of a killed one within 30 s, and repeats no write', async () => {
  await using world = await createWorld({ script: followInstruction });
  const spawnOn = (machine: string) =>
    spawnService(world, { environment: { DATA_DIR: join(world.directory, machine) } });
  await using first = await spawnOn('first');
  const held = await atModelRequest(1)(world);
  const { id } = await first.caller.create('First');
  await held.reached();
  await using _second = await spawnOn('second');
  const crashedAt = performance.now();
  await first.kill('SIGKILL');
  held.release();
  const { requests } = world.model;
  await eventually(() => requests.length === 3 || undefined);
  expect(performance.now() - crashedAt).toBeLessThan(30_000);
  expect(await settled(world, id)).toBe('completed');
  expect(countRepeats(requests)).toBe(1);
  expect(await readGitHub(world, id)).toEqual({ branches: 1, pullRequests: 1, commits: ['First'], comments: 0 });
  expect(world.github.duplicates()).toEqual([]);
});
