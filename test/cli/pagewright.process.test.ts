// The command line as people run it: `npx pagewright`, and the launcher by a link from another folder.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const run = promisify(execFile);

async function pagewright(args: string[], file = resolve('bin/pagewright')) {
  const command = run(file, args);
  const { stdout, stderr } = await command.catch((error: { stdout: string; stderr: string }) => error);
  return { code: command.child.exitCode, stdout, stderr };
}

test('npx in a checkout runs the command on the Node.js of the project', async () => {
  const { stdout } = await run('npx', ['--offline', 'pagewright', '--version']);
  expect(stdout).toBe(`${packageJson.version}\n`);
});

test('a link in another folder runs it, too', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-bin-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await symlink(resolve('bin/pagewright'), join(directory, 'pagewright'));
  expect(await pagewright(['-V'], join(directory, 'pagewright'))).toMatchObject({ code: 0, stderr: '' });
});

test('a reader that has enough ends a long list quietly, and bytes that are no text are refused', async () => {
  const { stdout, stderr } = await run('sh', ['-c', `'${resolve('bin/pagewright')}' eval --list | head -1`]);
  expect([stdout.split('\n').length, stderr]).toEqual([2, '']);
  const bytes = `printf '\\377\\376' | '${resolve('bin/pagewright')}' jobs create acme/docs -`;
  await expect(run('sh', ['-c', bytes])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('standard input must be text in UTF-8'),
  });
});

test('help lists every command; each has its own, with examples where it takes arguments', async () => {
  const { code, stdout, stderr } = await pagewright(['--help']);
  expect([code, stderr]).toEqual([0, '']);
  const listed = [...stdout.matchAll(/^ {2}([a-z-]+) .*? {2}\S/gm)].flatMap(([, name]) => name ?? []);
  expect(listed).toEqual(
    expect.arrayContaining([
      'start',
      'doctor',
      'keys',
      'jobs',
      'automations',
      'webhooks',
      'check-docs',
      'backup',
      'restore',
      'move-database',
      'eval',
    ]),
  );
  for (const name of [
    'doctor',
    'keys',
    'jobs',
    'webhooks',
    'check-docs',
    'rotate-secrets-key',
    'backup',
    'restore',
    'move-database',
  ]) {
    const help = await pagewright(['help', name]);
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining(`\nExamples:\n  pagewright ${name}`)]);
  }
});

test.each([
  { args: ['deploy'], error: "pagewright: unknown command 'deploy' (see: pagewright --help)\n" },
  { args: ['start', '--port'], error: "start: unknown option '--port' (see: pagewright start --help)\n" },
])('$args ends with code 2 and one line', async ({ args, error }) => {
  expect(await pagewright(args)).toEqual({ code: 2, stdout: '', stderr: error });
});

test('the exit code of the evaluation is that of its own process', async () => {
  expect(await pagewright(['eval', '--fast'])).toMatchObject({
    code: 2,
    stderr: "eval: unknown option '--fast' (Did you mean --list?) (see: pagewright eval --help)\n",
  });
});

test('a command ends when its output is written, whatever stays open', async () => {
  const site = resolve('eval/sites/markdown');
  const env = { ...process.env, NODE_OPTIONS: '--import=data:text/javascript,setInterval(()=>{},1e6)' };
  const { stdout } = await run(resolve('bin/pagewright'), ['check-docs', site, site], { env });
  expect(stdout).toMatch(/^0 to fix/);
});
