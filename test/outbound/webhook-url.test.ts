import { once } from 'node:events';
import { createServer } from 'node:net';
import nock from 'nock';
import { describe, expect, test } from 'vitest';
import { startReceiver } from '../../harness/start-receiver.ts';
import { parseAllowedHosts } from '../../src/config/urls.ts';
import { createPost } from '../../src/outbound/post.ts';
import {
  checkWebhookUrl,
  createGuardedLookup,
  isPublicAddress,
  parseWebhookUrl,
  type Resolve,
} from '../../src/outbound/webhook-url.ts';
import { list } from '../support/values/list.ts';

const nobody = parseAllowedHosts('') ?? [];
const message = { headers: {}, body: '{}' };
const { signal } = new AbortController();

test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

const inside = list(`
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.1.2 169.254.169.254 172.16.0.1 192.168.1.1
    192.0.0.8 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
    168.63.129.16 100.100.100.200 :: ::1 ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::127.0.0.1 64:ff9b::7f00:1
    64:ff9b:1::808:808 2002:7f00:1:: 2001::1 2001:db8::1 3fff::1 fc00::1 fd00:ec2::254 fe80::1
    fe80::1%eth0 fec0::1 ff02::1 100::1 5f00::1 ::ffff:0:127.0.0.1 localhost`);

test.each(inside)('promise 29: %s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

describe('promise 29: a URL', () => {
  test.each([
    'https://hooks.example.com/a?b=c',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('%s is taken', (url) => {
    expect(parseWebhookUrl(url, nobody).href).toBe(url);
  });

  test.each([
    ['http://hooks.example.com/', 'must begin with https://'],
    ['ftp://hooks.example.com/', 'must be an http(s) URL'],
    ['javascript:alert(1)', 'must be an http(s) URL'],
    ['https:/hooks.example.com', 'must be an http(s) URL'],
    ['hooks.example.com', 'must be an http(s) URL'],
    ['https://hooks.example.com/a b', 'must be an http(s) URL'],
    ['https://hooks.example.com/\u0000', 'must be an http(s) URL'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'at most 2,048 characters'],
    ['https://user@hooks.example.com/', 'must not contain a user'],
    ['https://:word@hooks.example.com/', 'must not contain a user'],
    ['https://hooks.example.com/#top', 'must not contain a fragment'],
    ['https://hooks.example.com/#', 'must not contain a fragment'],
    ['https://hooks.example.com:25/', 'must not use port 25'],
    ['https://hooks.example.com:80/', 'must not use port 80'],
    ['https://localhost/', 'must not lead to a private'],
    ['https://a.LocalHost./', 'must not lead to a private'],
    ['https://127.0.0.1/', 'must not lead to a private'],
    ['https://127.1/', 'must not lead to a private'],
    ['https://2130706433/', 'must not lead to a private'],
    ['https://0x7f000001/', 'must not lead to a private'],
    ['https://0177.0.0.1/', 'must not lead to a private'],
    ['https://0/', 'must not lead to a private'],
    ['https://１２７.０.０.１/', 'must not lead to a private'],
    ['https://169.254.169.254/latest/meta-data', 'must not lead to a private'],
    ['https://[::1]/', 'must not lead to a private'],
    ['https://[::ffff:10.0.0.1]/', 'must not lead to a private'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'must not lead to a private'],
  ])('%s is refused', (url, reason) => {
    expect(() => parseWebhookUrl(url, nobody)).toThrow(reason);
  });
});

test.each([
  ['10.0.0.7:8080', 'http://10.0.0.7:8080/', true],
  ['10.0.0.7:8080', 'http://10.0.0.7/', false],
  ['10.0.0.7:443', 'https://10.0.0.7/', true],
  ['hooks.corp', 'http://hooks.corp/a', true],
  ['hooks.corp', 'https://HOOKS.corp:25/a', true],
  ['hooks.corp', 'http://a.hooks.corp/', false],
  ['hooks.corp, [::1]:3000', 'http://[0:0::1]:3000/', true],
  ['[::1]:3000', 'http://[::1]:3001/', false],
])('with %j allowed, whether %s is taken: %s', (text, url, isTaken) => {
  const take = () => parseWebhookUrl(url, parseAllowedHosts(text) ?? []);
  if (isTaken) expect(take().href).toBeTruthy();
  else expect(take).toThrow();
});

test.each(['http://hooks.corp', 'hooks.corp/', 'a:b', 'a:0', 'a:65536', '::1', '*.corp', 'a b', '@', '[::1'])(
  '%j is no list of hosts',
  (text) => {
    expect(parseAllowedHosts(text)).toBeUndefined();
  },
);

// Ours is the guard, then.
nock.enableNetConnect(/^(?:127\.0\.0\.1|rebinding\.example\.com)(?::\d+)?$/);

/** A server of this machine that must not be reached, with every way of naming it that DNS has. */
async function openInside(answers: string[][]) {
  const server = createServer();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.destroy();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  let asked = 0;
  const resolve: Resolve = async () => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return addresses.map((found) => ({ address: found, family: found.includes(':') ? 6 : 4 }));
  };
  return {
    url: `https://rebinding.example.com:${address.port}/`,
    resolve,
    countConnections: () => connections,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

test.each([
  ['a name of this machine', [['127.0.0.1']]],
  ['an address in IPv6', [['::ffff:127.0.0.1']]],
  ['only inner addresses', [['10.0.0.1', '127.0.0.1', '::1']]],
  ['another answer than when it was checked', [['8.8.8.8'], ['127.0.0.1']]],
])('promise 29: a connection is refused for %s', async (_what, answers) => {
  await using inner = await openInside(answers);
  const { resolve } = inner;
  if (answers.length > 1) await checkWebhookUrl(inner.url, { allowed: nobody, resolve, withinMs: 1_000 });
  const post = createPost({ allowed: nobody, resolve, proxies: {}, timeoutMs: 2_000 });
  expect(await post(inner.url, message, signal)).toEqual({
    status: null,
    error: expect.stringContaining('must not lead to a private'),
  });
  expect(inner.countConnections()).toBe(0);
});

test.each([{ all: true }, { all: false }])(
  'promise 29: among several addresses only public ones count: %o',
  async (options) => {
    const addresses = ['127.0.0.1', '8.8.8.8', '10.0.0.1', '2606:4700::1111'];
    const resolve: Resolve = async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const answer = Promise.withResolvers<unknown[]>();
    createGuardedLookup(resolve)('a.example', options, (...answered) => answer.resolve(answered));
    const [first, second] = [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ];
    expect(await answer.promise).toEqual(options.all ? [null, [first, second]] : [null, '8.8.8.8', 4]);
  },
);

test('promise 29: a webhook that was stored before is checked again at each delivery', async () => {
  await using receiver = await startReceiver();
  const send = (hosts: string) =>
    createPost({ allowed: parseAllowedHosts(hosts) ?? [], resolve: async () => [], proxies: {}, timeoutMs: 2_000 })(
      receiver.url,
      message,
      signal,
    );
  expect(await send('')).toMatchObject({ error: expect.stringContaining('must begin with https://') });
  expect(await send(receiver.host)).toEqual({ status: 204, error: null });
  expect(receiver.posts).toHaveLength(1);
});

test.each([
  ['only inner addresses', async () => [{ address: '127.0.0.1', family: 4 }], false],
  [
    'a public one, too',
    async () => [
      { address: '10.0.0.1', family: 4 },
      { address: '8.8.8.8', family: 4 },
    ],
    true,
  ],
  ['no answer', () => Promise.reject(new Error('ENOTFOUND')), true],
  ['no answer in time', () => new Promise<never>(() => {}), true],
])('promise 29: a URL whose name has %s may be stored: %s', async (_what, resolve, isTaken) => {
  const check = (allowed: string) =>
    checkWebhookUrl('https://a.example', { allowed: parseAllowedHosts(allowed) ?? [], resolve, withinMs: 50 });
  if (isTaken) await check('');
  else await expect(check('')).rejects.toThrow('must not lead to a private');
  await check('a.example');
});
