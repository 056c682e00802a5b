import { expect, test } from 'vitest';
import { sampleKeys } from '../support/values/sample-keys.ts';
import { createToolbox } from './toolbox.ts';

const key = sampleKeys['private key'];
const token = sampleKeys['github token'];

const entries = {
  '.env': `TOKEN=canary-1\n`,
  'site/.env.local': 'TOKEN=canary-2\n',
  'server.key': 'canary-3\n',
  'config/settings.json': JSON.stringify({ token, name: 'canary-4' }),
  'notes.txt': `canary-5\n${key}\n`,
  'docs/tls.md': `A key looks like this:\n\n${key}\n`,
  'docs/env.md': 'Set TOKEN in .env, as in canary.example.\n',
  '.env.example': 'TOKEN=your-token\n',
  'config/stripe.json': JSON.stringify({ key: `sk_${'test_4eC39HqLyjWDarjtT1zdp7dc'}` }),
};
const byName = ['.env', 'site/.env.local', 'server.key'];
const byContent = ['config/settings.json', 'notes.txt'];

test('promise 35: files of secrets are not listed', async () => {
  await using box = await createToolbox(entries);
  const output = await box.output('list_files', {});
  for (const path of byName) expect(output.split('\n')).not.toContain(path);
  expect(output).toContain('.env.example');
});

test.each([...byName, ...byContent])('promise 35: %s is neither read, edited, moved nor searched', async (path) => {
  await using box = await createToolbox(entries);
  const calls: [string, object][] = [
    ['read_file', { path }],
    ['edit_file', { path, old_text: 'canary', new_text: 'public' }],
    ['write_file', { path, content: 'x\n' }],
    ['move_file', { from: path, to: 'docs/moved.md' }],
    ['search', { pattern: 'canary|BEGIN|token', path, ignore_case: true }],
  ];
  for (const [name, args] of calls) {
    const output = await box.output(name, args);
    expect(output).not.toMatch(/canary-\d|BEGIN/);
    expect(output).not.toContain(token);
    if (name === 'read_file') expect(output).toContain(`${path} is not shown`);
  }
  expect(await box.read('docs/moved.md')).toBe('missing');
});

test('promise 35: a search over all files shows no line of them', async () => {
  await using box = await createToolbox(entries);
  expect(await box.call('search', { pattern: 'canary' })).toEqual({
    output: 'docs/env.md:1: Set TOKEN in .env, as in canary.example.',
    isError: false,
  });
});

test('documentation about keys stays readable', async () => {
  await using box = await createToolbox(entries);
  for (const path of ['docs/tls.md', 'docs/env.md', '.env.example', 'config/stripe.json'] as const)
    expect(await box.read(path)).toBe(entries[path]);
});

test('promise 35: a line of a file that is too long to read is shown only without a key', async () => {
  await using box = await createToolbox({
    'data.json': `{ "first": "canary-1",\n"token": "${token}",\n"text": "${'x '.repeat(1_100_000)}" }\n`,
  });
  expect(await box.output('search', { pattern: 'canary' })).toContain('canary-1');
  expect(await box.call('search', { pattern: 'token' })).toEqual({ output: 'no matches', isError: false });
});
