import { createHmac } from 'node:crypto';
import type { Random } from '../../harness/trials/random.ts';
import { chance, number, oneOf, type Some } from './draw.ts';

type Json = unknown;

const strange: Some<Json> = [
  null,
  0,
  -1,
  1e308,
  2 ** 53,
  '',
  'x',
  '\u0000',
  '\ud800',
  'x'.repeat(100_000),
  [],
  [null],
  {},
  true,
  { login: null },
  { id: null },
  '../../etc/passwd',
  '2026-99-99T00:00:00Z',
  { __proto__: null, constructor: { prototype: {} } },
];

/** A payload with up to five of its values gone, null or strange. */
export function disturbPayload(random: Random, payload: Json): Json {
  const copy: Json = structuredClone(payload);
  for (let left = 1 + number(random, 5); left > 0; left -= 1) disturb(random, copy);
  return copy;
}

function disturb(random: Random, value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  const keys = Object.keys(value);
  const key = keys[number(random, keys.length)];
  if (key === undefined) return;
  const inner: Json = Reflect.get(value, key);
  if (typeof inner === 'object' && inner !== null && chance(random, 0.6)) disturb(random, inner);
  else if (chance(random, 0.2)) Reflect.deleteProperty(value, key);
  else Reflect.set(value, key, structuredClone(random.pick(strange)));
}

const sign = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');

/** A signature header that is not GitHub's for this body. */
export const drawForgedSignature = (random: Random, body: string, secret: string): string =>
  oneOf(random, [
    'none',
    () => `sha256=${sign('', body)}`,
    () => `sha256=${sign(`${secret} `, body)}`,
    () => `sha256=${sign(secret, `${body}\n`)}`,
    () => `sha256=${sign(secret, '')}`,
    () => `sha256=${sign(secret, body).toUpperCase()}`,
    () => `sha256=${sign(secret, body).slice(0, number(random, 64))}`,
    () => `sha256=${sign(secret, body)}0`,
    () => `SHA256=${sign(secret, body)}`,
    () => sign(secret, body),
    () => `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`,
    () => `sha512=${createHmac('sha512', secret).update(body).digest('hex')}`,
    () => `sha256=${Buffer.from(sign(secret, body), 'hex').toString('base64')}`,
    () => `sha256=${'0'.repeat(64)}`,
    () => `sha256=${sign(secret, body).replace(/./, (digit) => (digit === '0' ? '1' : '0'))}`,
    () => `sha256=${sign(secret, body)},sha256=${sign('x', body)}`,
    () => `v1,${sign(secret, body)}`,
    () => `sha256=${'\u0130'.repeat(10)}`.slice(0, 71),
  ]);

export const signed = (secret: string, body: string): string => `sha256=${sign(secret, body)}`;
