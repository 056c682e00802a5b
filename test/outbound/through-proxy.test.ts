import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import nock from 'nock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../harness/eventually.ts';
import { type Authority, createAuthority } from '../../harness/proxies/private-authority.ts';
import { type Route, startForwardProxy } from '../../harness/proxies/start-forward-proxy.ts';
import { startReceiver } from '../../harness/start-receiver.ts';
import { parseAllowedHosts } from '../../src/config/urls.ts';
import { createPost } from '../../src/outbound/post.ts';

const message = { headers: { 'webhook-id': 'whd_1' }, body: '{}' };
const { signal } = new AbortController();
const before = getCACertificates('default');
let directory: string;
let authority: Authority;

beforeAll(async () => {
  nock.enableNetConnect(/./);
  directory = await mkdtemp(join(tmpdir(), 'pagewright-authority-'));
  authority = await createAuthority(directory);
  setDefaultCACertificates([...before, await readFile(authority.certificateFile, 'utf8')]);
});

afterAll(async () => {
  setDefaultCACertificates(before);
  nock.enableNetConnect('127.0.0.1');
  await rm(directory, { recursive: true });
});

interface Given {
  url?: string;
  addresses?: string[];
  names?: [string, ...string[]];
  allowed?: string;
  noProxy?: string;
  credentials?: string;
  route?: (port: number) => (target: string) => Route;
  timeoutMs?: number;
}

/** Sends one POST by a proxy to a receiver whose certificate has `names`. */
async function postThrough({
  url = 'https://hooks.example.com/hook?a=b',
  addresses = ['8.8.8.8'],
  names = ['hooks.example.com'],
  allowed = '',
  noProxy = 'localhost',
  credentials = '',
  route = (port) => () => ({ port }),
  timeoutMs = 5_000,
}: Given = {}) {
  await using receiver = await startReceiver({ tls: await authority.issue(...names) });
  await using proxy = await startForwardProxy(route(receiver.port));
  const proxyUrl = proxy.url.replace('//', `//${credentials}`);
  const post = createPost({
    allowed: parseAllowedHosts(allowed) ?? [],
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    proxies: { https_proxy: proxyUrl, http_proxy: proxyUrl, no_proxy: noProxy },
    timeoutMs,
  });
  const result = await post(url.replace('PORT', String(receiver.port)), message, signal);
  await eventually(() => proxy.countTunnels() === 0 || undefined, { what: 'no tunnel is left open', withinMs: 8_000 });
  const { asked, authorizations } = proxy;
  return { result, asked, authorizations, posts: receiver.posts };
}

const delivered = { status: 204, error: null };

test('promise 29: the proxy connects to the address that was checked; TLS and Host have the name', async () => {
  const { result, asked, posts } = await postThrough();
  expect(result).toEqual(delivered);
  expect(asked).toEqual(['CONNECT 8.8.8.8:443']);
  expect(posts).toMatchObject([{ path: '/hook?a=b', body: '{}', headers: { host: 'hooks.example.com' } }]);
  const other = await postThrough({ url: 'https://hooks.example.com:8443/', credentials: 'us%40er:pass@' });
  expect(other.asked).toEqual(['CONNECT 8.8.8.8:8443']);
  expect(other.posts).toMatchObject([{ headers: { host: 'hooks.example.com:8443' } }]);
  expect(other.authorizations).toEqual([`Basic ${Buffer.from('us@er:pass').toString('base64')}`]);
  expect(other.posts[0]?.headers['proxy-authorization']).toBeUndefined();
});

test.each([
  ['of another name', { names: ['elsewhere.example.com'] }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['of the address alone', { names: ['8.8.8.8'] }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
] satisfies [string, Given, string][])('promise 29: a certificate %s is refused', async (_what, given, code) => {
  const { result, posts } = await postThrough(given);
  expect(result).toMatchObject({ status: null, error: `the connection through the proxy failed (${code})` });
  expect(posts).toEqual([]);
});

test.each([
  [['127.0.0.1'], 'https://hooks.example.com/'],
  [['10.0.0.1', '::1'], 'https://hooks.example.com/'],
  [[], 'https://hooks.example.com/'],
  [['8.8.8.8'], 'https://127.0.0.1/'],
  [['8.8.8.8'], 'http://hooks.example.com/'],
])('promise 29: the proxy is not asked for %j of %s', async (addresses, url) => {
  const { result, asked } = await postThrough({ addresses, url });
  expect(result).toMatchObject({ status: null, error: expect.stringMatching(/^the URL (?:must|has)/) });
  expect(asked).toEqual([]);
});

test('promise 29: only public addresses are tried, IPv4 first, until the proxy opens a tunnel', async () => {
  const { result, asked } = await postThrough({
    addresses: ['2606:4700::1111', '10.0.0.1', '8.8.8.8', '1.1.1.1'],
    route: (port) => (target) => (target.startsWith('8.8') ? 502 : { port }),
  });
  expect(result).toEqual(delivered);
  expect(asked).toEqual(['CONNECT 8.8.8.8:443', 'CONNECT 1.1.1.1:443']);
  const last = await postThrough({
    addresses: ['8.8.8.8', '2606:4700::1111'],
    route: () => () => 403,
  });
  expect(last.asked).toEqual(['CONNECT 8.8.8.8:443', 'CONNECT [2606:4700::1111]:443']);
  expect(last.result).toMatchObject({ status: null, error: 'the proxy refused the connection (403)' });
});

test('promise 29: a proxy that gives no answer is left when the time is up', async () => {
  const { result } = await postThrough({ timeoutMs: 300, route: () => () => 'hang' });
  expect(result).toMatchObject({ status: null, error: 'no answer within 0.3 s' });
});

test('hosts of WEBHOOK_ALLOWED_HOSTS are named to the proxy, which looks them up', async () => {
  const byName = await postThrough({ allowed: 'hooks.example.com', addresses: [] });
  expect(byName.result).toEqual(delivered);
  expect(byName.asked).toEqual(['CONNECT hooks.example.com:443']);
});

test('promise 29: what NO_PROXY names is sent directly, past the same guard', async () => {
  const { result, asked } = await postThrough({ noProxy: '.example.com', addresses: ['127.0.0.1'] });
  expect(asked).toEqual([]);
  expect(result.error).toContain('must not lead to a private');
});

test('NO_PROXY leads to an allowed host directly', async () => {
  const { result, asked, posts } = await postThrough({
    url: 'https://127.0.0.1:PORT/',
    names: ['127.0.0.1'],
    allowed: '127.0.0.1',
    noProxy: '127.0.0.1',
  });
  expect(result).toEqual(delivered);
  expect(asked).toEqual([]);
  expect(posts).toHaveLength(1);
});
