import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawnService } from '../../harness/processes/spawn-service.ts';
import { oneRun } from '../support/worlds/correction.ts';
import { createWorld } from '../support/worlds/world.ts';

const run = promisify(execFile);
let directory: string;
let installed: string;
let pagewright: string;

// As npm installs it, but with the dependencies of the checkout: the tests need no registry.
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'package-'));
  await run('npm', ['pack', '--silent', '--pack-destination', directory]);
  const [archive = ''] = await readdir(directory);
  installed = join(directory, 'node_modules/pagewright');
  await mkdir(installed, { recursive: true });
  await run('tar', ['--extract', '--strip-components=1', '--file', join(directory, archive), '--directory', installed]);
  await symlink(resolve('node_modules'), join(installed, 'node_modules'));
  pagewright = join(directory, 'pagewright');
  await symlink(join(installed, 'bin/pagewright'), pagewright);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('the package holds only what runs', async () => {
  expect((await readdir(installed)).toSorted()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'app.yml',
    'bin',
    'dist',
    'docs',
    'node_modules',
    'package.json',
  ]);
});

test('its command checks documentation from any folder, without a database', async () => {
  const docs = await mkdtemp(join(directory, 'docs-'));
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: docs });
  await git('init', '--quiet');
  await git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  await writeFile(join(docs, 'README.md'), '# Limits\n\nSee [errors](errors.md).\n');
  await expect(run(pagewright, ['check-docs'], { cwd: docs, env: { PATH: process.env.PATH } })).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('link errors.md leads to no page'),
  });
});

test('its service does a job, which its client sends and waits for', async () => {
  await using world = await createWorld({ script: oneRun });
  await using service = await spawnService(world, { command: [pagewright, 'start'] });
  const program = `
    import { createClient } from 'pagewright/client';
    const client = createClient();
    const { id } = await client.createJob({ prompt: 'Make it 100.' });
    const job = await client.waitForJob(id);
    const { files } = await client.getDiff(id);
    console.log(job.status, files.map(({ path }) => path).join());`;
  await writeFile(join(directory, 'send.mjs'), program);
  const { stdout } = await run('node', [join(directory, 'send.mjs')], {
    env: {
      PATH: process.env.PATH,
      PAGEWRIGHT_URL: service.url,
      PAGEWRIGHT_PROJECT: world.projectId,
      PAGEWRIGHT_KEY: world.key,
    },
  });
  expect(stdout).toBe('completed limits.md\n');
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('without Node.js 24 its command says what it needs', async () => {
  const tools = await mkdtemp(join(directory, 'tools-'));
  for (const name of ['dirname', 'readlink'])
    await symlink((await run('which', [name])).stdout.trim(), join(tools, name));
  await writeFile(join(tools, 'node'), '#!/bin/sh\necho false\n', { mode: 0o755 });
  await rm(join(installed, 'node_modules'));
  await expect(run('/bin/sh', [pagewright, '--version'], { env: { PATH: tools } })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('needs Node.js 24 or later'),
  });
});
