import { expect, test } from 'vitest';
import { isLoopbackUrl } from '../../src/config/urls.ts';
import { isLoopbackRequest } from '../../src/http/is-loopback-request.ts';

const local = { remoteAddress: '127.0.0.1', httpVersion: '1.1', headers: { host: 'localhost:3000' } };

test.each<[string, Partial<typeof local> | { headers: Record<string, string> }, boolean]>([
  ['a browser on this machine', {}, true],
  ['one that connects from another loopback address', { remoteAddress: '127.9.9.9' }, true],
  ['one that connects over IPv6', { remoteAddress: '::1', headers: { host: '[::1]:3000' } }, true],
  ['one over IPv4 to a socket of both', { remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1' } }, true],
  ['one that writes the name large', { headers: { host: 'LOCALHOST' } }, true],
  ['another machine', { remoteAddress: '192.168.1.7' }, false],
  ['another machine over IPv6', { remoteAddress: 'fe80::1' }, false],
  ['another machine, mapped', { remoteAddress: '::ffff:192.168.1.7' }, false],
  ['a container’s gateway', { remoteAddress: '172.17.0.1' }, false],
  ['a socket that is gone', { remoteAddress: '' }, false],
  ['a page whose own name leads here', { headers: { host: 'rebound.example.com' } }, false],
  ['a name that begins like ours', { headers: { host: 'localhost.example.com' } }, false],
  ['a name that ends like ours', { headers: { host: 'evil-localhost' } }, false],
  ['an address that goes on', { headers: { host: '127.0.0.1.example.com' } }, false],
  ['a name with a user before it', { headers: { host: 'evil@localhost' } }, false],
  ['no name', { headers: {} }, false],
  ['nginx as it comes', { httpVersion: '1.0' }, false],
  ...['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded', 'cf-connecting-ip'].map(
    (name): [string, { headers: Record<string, string> }, boolean] => [
      `a proxy that says ${name}`,
      { headers: { ...local.headers, [name]: '' } },
      false,
    ],
  ),
])('promise 12: %s (%o) counts as this machine: %s', (_who, change, expected) => {
  const { remoteAddress, ...request } = { ...local, ...change };
  expect(isLoopbackRequest({ socket: { remoteAddress }, ...request })).toBe(expected);
});

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1', true],
  ['http://[::1]:3000', true],
  ['http://0.0.0.0:3000', true],
  ['https://docs.localhost', true],
  ['https://localhost.example.com', false],
  ['https://evil-localhost', false],
  ['https://127.0.0.1.example.com', false],
  ['https://pagewright.example.com', false],
])('%s leads to the machine of whoever opens it: %s', (url, expected) => {
  expect(isLoopbackUrl(url)).toBe(expected);
});
