import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../../src/text/redact.ts';

const secret = 'ghs_1_abc.def-ghi/jkl+mno=';
const pem = `-----BEGIN PRIVATE KEY-----\n${'a'.repeat(64)}\n${'b'.repeat(64)}\nccc=\n-----END PRIVATE KEY-----`;

test.each<[string, string]>([
  ['as it is', secret],
  ['in an address', encodeURIComponent(secret)],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64url', Buffer.from(secret).toString('base64url')],
  ['as git sends it', Buffer.from(`x-access-token:${secret}`).toString('base64')],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['in hexadecimal of capitals', Buffer.from(secret).toString('hex').toUpperCase()],
  ['backwards', [...secret].reverse().join('')],
])('a secret is hidden %s', (_name, form) => {
  const { redact } = createRedactor([secret]);
  expect(redact(`before ${form} after`)).toMatch(/^before \[secret\]=* after$/);
});

test.each([0, 1, 2])('a secret is hidden in the base64 of a text, %s bytes behind its start', (shift) => {
  const { redact } = createRedactor([secret]);
  const text = `${'x'.repeat(3 + shift)}${secret}and more`;
  const clean = Buffer.from(redact(Buffer.from(text).toString('base64')), 'base64').toString('latin1');
  expect(clean).not.toContain(secret.slice(2, -2));
});

test('a multi-line key is hidden in JSON and line by line', () => {
  const { redact } = createRedactor([pem]);
  expect(redact(JSON.stringify({ pem }))).toBe('{"pem":"[secret]"}');
  expect(redact(`x ${'b'.repeat(64)} y`)).toBe('x [secret] y');
});

test('secrets can be added and removed later', () => {
  const redactor = createRedactor();
  redactor.hide(secret);
  expect(redactor.redact(secret)).toBe('[secret]');
  redactor.forget(secret);
  expect(redactor.redact(secret)).toBe(secret);
});

test('short secrets are ignored', () => {
  expect(createRedactor(['', 'short']).redact('a short text')).toBe('a short text');
});

test('promise 4: no form of a secret remains in any text', () => {
  const secrets = fc.array(fc.stringMatching(/^[ -~]{8,40}$/), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(secrets, fc.string(), (values, filler) => {
      const { redact } = createRedactor(values);
      const forms = values.flatMap((one) => [
        one,
        encodeURIComponent(one),
        Buffer.from(one).toString('base64').replace(/=+$/, ''),
        Buffer.from(one).toString('hex'),
      ]);
      const clean = redact(forms.join(`\n${filler}\n`));
      // What the replacement itself spells cannot be told from it.
      const telling = forms.filter((form) => !'[secret][secret]'.includes(form));
      for (const form of telling) expect(clean).not.toContain(form);
    }),
  );
});
