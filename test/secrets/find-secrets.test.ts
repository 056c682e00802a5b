import { expect, test } from 'vitest';
import { findSecrets } from '../../src/secrets/find-secrets.ts';
import { createScanner } from '../../src/secrets/scanner.ts';
import { createThreads } from '../../src/threads/threads.ts';
import { sampleKeys } from '../support/values/sample-keys.ts';

const kindsIn = async (text: string) => (await findSecrets(text)).map(({ kind }) => kind);

test.each(Object.entries(sampleKeys))('promise 35: a %s is found, alone and inside of a page', async (kind, key) => {
  expect(await kindsIn(key)).toEqual([kind]);
  expect(await kindsIn(`# Setup\n\nExport this:\n\n\`\`\`sh\nexport KEY='${key}'\n\`\`\`\n`)).toEqual([kind]);
});

test.each<[string, string]>([
  ['no key', 'Send your token in the Authorization header: `Bearer $TOKEN`.'],
  ['the example id of AWS', 'AKIAIOSFODNN7EXAMPLE'],
  ['the example key of AWS', 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'],
  ['an account number of AWS', 'aws_account_id: "1234-5678-9012"'],
  ['a placeholder for a key', 'ghp_YOUR_TOKEN and sk_live_... and xoxb-your-token'],
  ['a private key that is cut', '-----BEGIN RSA PRIVATE KEY-----\nMIIE...\n-----END RSA PRIVATE KEY-----'],
  ['a connection string', 'postgres://user:password@localhost:5432/acme'],
  ['an address with a password', 'https://user:password@example.com/'],
  ['a public key', `ssh-ed25519 ${'AAAAC3NzaC1lZDI1NTE5'.repeat(3)} rita@acme`],
])('%s is no secret', async (_name, text) => {
  expect(await findSecrets(text)).toEqual([]);
});

test.each(Object.entries(sampleKeys))('promise 35: a %s as Base64 is found where it stands', async (kind, key) => {
  for (const encoding of ['base64', 'base64url'] as const) {
    const encoded = Buffer.from(`${'user:'}${key}\n`).toString(encoding);
    const found = await findSecrets(`One.\n\nkey: ${encoded}\n`);
    expect(found).toContainEqual(expect.objectContaining({ kind, line: 3 }));
    expect(found.every(({ value }) => encoded.includes(value))).toBe(true);
  }
});

test.each<[string, string]>([
  [
    'an image',
    `![x](data:image/png;base64,${Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 89) % 256)).toString('base64')})`,
  ],
  ['a text as Base64', Buffer.from('Send your token in the Authorization header, please.').toString('base64')],
  ['a long path', 'docs/guides/administration/authentication/tokens/rotation'],
])('promise 35: %s is no secret', async (_name, text) => {
  expect(await findSecrets(text)).toEqual([]);
});

test('promise 35: comments in the text switch nothing off', async () => {
  const key = sampleKeys['github token'];
  expect(await kindsIn(`<!-- secretlint-disable -->\n${key}\n`)).toEqual(['github token']);
  expect(await kindsIn(`# secretlint-disable-next-line\n${key} # secretlint-disable-line\n`)).toEqual(['github token']);
});

test('a secret says where it is, and whether it is worth anything to a thief', async () => {
  const test = `sk_${'test_4eC39HqLyjWDarjtT1zdp7dc'}`;
  expect(await findSecrets(`One.\n\n${sampleKeys['slack token']} and ${test}`)).toEqual([
    { kind: 'slack token', value: sampleKeys['slack token'], line: 3, isHarmless: false },
    { kind: 'stripe secret key test', value: test, line: 3, isHarmless: true },
  ]);
});

test('a long text is scanned in a thread, with the same result', async () => {
  const threads = createThreads();
  const scan = createScanner({ threads });
  const { signal } = new AbortController();
  const text = `${'A sentence of a page.\n'.repeat(5_000)}${sampleKeys['github token']}\n`;
  expect(await scan(text, { signal })).toEqual(await findSecrets(text));
  expect(threads.countThreads()).toBe(1);
  await threads.close();
});

test('promise 28: a scan leaves nothing in memory', async () => {
  const countEntries = () => performance.getEntries().length;
  await findSecrets('a page');
  const before = countEntries();
  for (let scan = 0; scan < 20; scan += 1) await findSecrets(`page ${scan}`);
  await new Promise(setImmediate);
  expect(countEntries()).toBe(before);
});
