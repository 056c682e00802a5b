import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { decodeSecretsKeys, loadSecretsKeys } from '../../src/config/secrets.ts';

function locate(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pagewright-key-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, 'data', 'secrets.key');
}

test('promise 29: the key is made once, for its owner only', () => {
  const path = locate();
  const [key] = loadSecretsKeys({ kind: 'file', path });
  expect(key).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadSecretsKeys({ kind: 'file', path })).toEqual([key]);
  expect(readFileSync(path, 'utf8').trim()).toBe(key.toString('base64'));
});

test('promise 29: a key that others can read, or a damaged one, is refused with what to do', () => {
  const path = locate();
  loadSecretsKeys({ kind: 'file', path });
  chmodSync(path, 0o644);
  expect(() => loadSecretsKeys({ kind: 'file', path })).toThrow(`chmod 600 ${path}`);
  chmodSync(path, 0o600);
  writeFileSync(path, 'short');
  expect(() => loadSecretsKeys({ kind: 'file', path })).toThrow('is damaged');
});

test('promise 29: a file may hold several keys, the one that encrypts first', () => {
  const path = locate();
  const [old] = loadSecretsKeys({ kind: 'file', path });
  const added = Buffer.alloc(32, 9);
  writeFileSync(path, `${added.toString('base64')}\n${old.toString('base64')}\n`);
  expect(loadSecretsKeys({ kind: 'file', path })).toEqual([added, old]);
});

test('promise 29: processes of several roles need the variable', () => {
  expect(() => loadSecretsKeys({ kind: 'missing' })).toThrow('SECRETS_KEY is not set: set it to the same value');
  const keys = [Buffer.alloc(32, 7)] as const;
  expect(loadSecretsKeys({ kind: 'set', keys })).toBe(keys);
});

test.each([
  [Buffer.alloc(32, 255).toString('base64'), true],
  [Buffer.alloc(32, 255).toString('base64url'), true],
  [Buffer.alloc(31).toString('base64'), false],
  [Buffer.alloc(33).toString('base64'), false],
  ['', false],
  [`${Buffer.alloc(32).toString('base64')} x`, false],
  [`${Buffer.alloc(32).toString('base64')}, ${Buffer.alloc(32, 1).toString('base64')}`, true],
  [`${Buffer.alloc(32).toString('base64')},`, false],
])('whether %j is a key: %s', (text, isKey) => {
  expect(decodeSecretsKeys(text) !== undefined).toBe(isKey);
});
