import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../src/config/config-error.ts';
import { findUnknownVariables, readEnvFile } from '../../src/config/env-file.ts';

async function writeEnvFile(content: string | Buffer): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pagewright-env-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, '.env'), content);
  return join(directory, '.env');
}

test.each([
  ['OPENAI_MODLE', 'OPENAI_MODEL'],
  ['openai_model', 'OPENAI_MODEL'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
])('%s in the environment is unknown: %s is meant', (name, meant) => {
  expect(findUnknownVariables({ [name]: 'x' })).toEqual([`${name} is unknown: did you mean ${meant}?`]);
});

test.each([
  ...['PATH', 'HOME', 'HOSTNAME', 'POST', 'USER', 'TERM', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'HTTPS_PROXY'],
  ...[
    'GITHUB_TOKEN',
    'GITHUB_ACTIONS',
    'GITHUB_ENV',
    'OPENAI_ORG_ID',
    'OPENAI_TEMPERATURE',
    'PAGEWRIGHT_KEY',
    'PGHOST',
  ],
  ...['APP_ID', 'OPENAI_MODELS', 'PORT'],
])('%s in the environment may be of another program, or is ours', (name) => {
  expect(findUnknownVariables({ [name]: 'x' })).toEqual([]);
});

test('a mark at the beginning of .env, as editors of Windows write it, is no part of the first name', async () => {
  expect(readEnvFile(await writeEnvFile('\uFEFFPORT=1\r\nHOST=::1\r\n'))).toEqual({ PORT: '1', HOST: '::1' });
});

test('a .env in UTF-16 is told, and what to do', async () => {
  const path = await writeEnvFile(Buffer.from('\uFEFFPORT=1\n', 'utf16le'));
  expect(() => readEnvFile(path)).toThrow(ConfigError);
  expect(() => readEnvFile(path)).toThrow('save it as UTF-8');
});

test('no .env is none', () => {
  expect(readEnvFile('/nowhere/.env')).toEqual({});
});
