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
  ['an example of a token', `gh${`p_${'x'.repeat(36)}`}`],
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

const inTwo = (key: string, joint: string) => key.slice(0, 12) + joint + key.slice(12);
const byLines = (key: string, start: string, end = '') =>
  key
    .split('\n')
    .map((line) => start + line + end)
    .join('\n');
const hex = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
/** The header of a private key has blanks, which no key has inside. */
const { 'private key': privateKey, ...wordKeys } = sampleKeys;

const disguises: Record<string, (key: string) => string> = {
  'over two lines': (key) => inTwo(key, '\n'),
  'over two lines, indented': (key) => `key: ${inTwo(key, '\n     ')}`,
  'over two lines of Windows': (key) => inTwo(key, '\r\n'),
  'over lines of a quotation': (key) => `> ${inTwo(key, '\n> ')}`,
  'over lines of a comment': (key) => `// ${inTwo(key, '\n// ')}`,
  'over lines of a shell': (key) => `export TOKEN=${inTwo(key, '\\\n')}`,
  'as two strings': (key) => `"${inTwo(key, '" +\n  "')}"`,
  'as strings side by side': (key) => `'${inTwo(key, "' '")}'`,
  'as two spans of code': (key) => `\`${inTwo(key, '``')}\``,
  'with HTML inside': (key) => inTwo(key, '<wbr>'),
  'with a comment inside': (key) => inTwo(key, '<!-- x -->'),
  'with bold text of nothing inside': (key) => inTwo(key, '****'),
  'escaped as Markdown': (key) => key.replace(/[_.-]/g, '\\$&'),
  'escaped as JSON': (key) => key.replace(/^./, (first) => `\\u00${hex(first)}`),
  'escaped as JavaScript': (key) => key.replace(/[a-z]/i, (letter) => `\\x${hex(letter)}`),
  'escaped as HTML': (key) => key.replace(/^./, (first) => `&#x${hex(first)};`),
  'escaped as HTML, by numbers': (key) => key.replace(/^./, (first) => `&#${first.charCodeAt(0)};`),
  'escaped as an address': (key) => key.replace(/^./, (first) => `%${hex(first)}`),
  'as Base64 in lines of 20': (key) => Buffer.from(`user:${key}`).toString('base64').replace(/.{20}/g, '$&\n'),
};

test.each(Object.keys(disguises))('promise 35: a key %s is found where it stands', async (disguise) => {
  for (const [kind, key] of Object.entries(wordKeys)) {
    const text = `One.\n\n${disguises[disguise]?.(key)}\n\nMore.\n`;
    const found = await findSecrets(text);
    expect(found).toContainEqual(expect.objectContaining({ kind, line: 3 }));
    expect(found.every(({ value }) => text.includes(value))).toBe(true);
  }
});

test.each<[string, string, string]>([
  ['a quotation', '> ', ''],
  ['a comment', '# ', ''],
  ['a list of strings', '"', '\\n" +'],
])('promise 35: a private key in %s is found', async (_name, start, end) => {
  expect(await kindsIn(`One.\n\n${byLines(privateKey, start, end)}\n`)).toEqual(['private key']);
});

test.each<[string, string]>([
  ['prose that is wrapped', 'A token of a person begins with ghp_\nand has thirty-six characters more_than_that.\n'],
  ['a list of names', 'ghp_YOUR_TOKEN\nsk_live_YOUR_KEY\nxoxb-your-token\nnpm_your_token\n'],
  [
    'a file of variables',
    'AWS_SECRET_ACCESS_KEY=YOUR_SECRET_KEY\nAWS_DEFAULT_REGION=eu-central-1\nAWS_PROFILE=default\n',
  ],
  ['names that are escaped', 'Set API\\_KEY, MY\\_VERY\\_LONG\\_NAME\\_OF\\_A\\_VARIABLE and ghp\\_YOUR\\_TOKEN.'],
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
