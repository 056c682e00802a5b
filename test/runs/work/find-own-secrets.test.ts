import { expect, test } from 'vitest';
import { findOwnSecrets } from '../../../src/runs/work/find-new-secrets.ts';
import { createRedactor } from '../../../src/text/redact.ts';

const secret = 'webhook-secret-of-this-service';
const bytes = (text: string) => Buffer.from(text);
const find = (path: string, text: string | null) =>
  findOwnSecrets([[path, text === null ? null : bytes(text)]], createRedactor([secret]));

test.each<[string, string]>([
  ['as it is', secret],
  ['backwards', [...secret].toReversed().join('')],
  ['in base64', bytes(secret).toString('base64')],
  ['in the base64 of a sentence', bytes(`The secret is ${secret}, I think.`).toString('base64')],
  ['in hexadecimal', bytes(secret).toString('hex')],
  ['in an address', encodeURIComponent(secret)],
])('promise 4: a file may not hold a secret of this service %s', (_how, form) => {
  expect(find('docs/a.md', `Text\n\n${form}\n`)).toEqual(['docs/a.md: a secret of this service']);
});

test('promise 4: neither may the name of a file, which no message repeats', () => {
  expect(find(`docs/${secret}.md`, `Text ${secret}`)).toEqual([
    'the name of a file: a secret of this service',
    'that file: a secret of this service',
  ]);
  expect(find(`docs/${secret}.md`, null)).toEqual(['the name of a file: a secret of this service']);
});

test('other texts, and files that are removed, hold none', () => {
  expect(find('docs/a.md', 'A webhook has a secret.')).toEqual([]);
  expect(find('docs/a.md', null)).toEqual([]);
});
