import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeSecretsKey, loadSecretsKey } from '../../src/config/secrets-key.ts';

function locate(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pagewright-key-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'data', 'secrets.key');
}

test('promise 29: the key is made once, for its owner only', () => {
  const path = locate();
  const key = loadSecretsKey({ kind: 'file', path });
  expect(key).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadSecretsKey({ kind: 'file', path })).toEqual(key);
  expect(readFileSync(path, 'utf8').trim()).toBe(key.toString('base64'));
});

test('promise 29: a key that others can read, or a damaged one, is refused with what to do', () => {
  const path = locate();
  loadSecretsKey({ kind: 'file', path });
  chmodSync(path, 0o644);
  expect(() => loadSecretsKey({ kind: 'file', path })).toThrow(`chmod 600 ${path}`);
  chmodSync(path, 0o600);
  writeFileSync(path, 'short');
  expect(() => loadSecretsKey({ kind: 'file', path })).toThrow('is damaged');
});

test('promise 29: processes of several roles need the variable', () => {
  expect(() => loadSecretsKey({ kind: 'missing' })).toThrow('SECRETS_KEY is not set: set it to the same value');
  const key = Buffer.alloc(32, 7);
  expect(loadSecretsKey({ kind: 'set', key })).toBe(key);
});

test.each([
  [Buffer.alloc(32, 255).toString('base64'), true],
  [Buffer.alloc(32, 255).toString('base64url'), true],
  [Buffer.alloc(31).toString('base64'), false],
  [Buffer.alloc(33).toString('base64'), false],
  ['', false],
  [`${Buffer.alloc(32).toString('base64')} x`, false],
])('whether %j is a key: %s', (text, isKey) => {
  expect(decodeSecretsKey(text) !== undefined).toBe(isKey);
});
