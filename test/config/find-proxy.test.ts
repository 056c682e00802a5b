import { expect, test } from 'vitest';
import { findIgnoredExceptions, findProxy, readProxies } from '../../src/config/network.ts';

const [http, https] = ['http://proxy:1', 'http://proxy:2'];

test.each([
  ['https://a.example.com/', '', https],
  ['http://a.example.com/', '', http],
  ['https://a.example.com/', 'example.com', https],
  ['https://a.example.com/', 'a.example.com', undefined],
  ['https://A.example.com/', 'x, .EXAMPLE.com', undefined],
  ['https://example.com/', '.example.com', undefined],
  ['https://badexample.com/', '.example.com', https],
  ['https://a.example.com/', '*.example.com', undefined],
  ['https://example.com/', '*.example.com', https],
  ['https://a.example.com/', '*', undefined],
  ['https://a.example.com/', 'a.example.com:443', undefined],
  ['https://a.example.com/', 'a.example.com:8443', https],
  ['https://10.0.0.7/', '10.0.0.1-10.0.0.9', undefined],
  ['https://10.0.1.7/', '10.0.0.1-10.0.0.9', https],
  ['https://[::1]/', '::1', undefined],
])('the proxy of %s with NO_PROXY=%s is %s', (url, noProxy, proxy) => {
  const proxies = { http_proxy: http, https_proxy: https, no_proxy: noProxy };
  expect(findProxy(new URL(url), proxies)).toBe(proxy);
});

test.each(['proxy.example.com:3128', 'nonsense', 'socks5://proxy:1080'])('%s is no proxy', (proxy) => {
  expect(findProxy(new URL('https://a.example'), { https_proxy: proxy })).toBeUndefined();
});

test.each([
  ['10.0.0.0/8', 'https://10.1.2.3/', undefined],
  ['10.0.0.0/8', 'https://11.0.0.1/', https],
  ['192.168.7.9/24', 'https://192.168.7.200/', undefined],
  ['192.168.7.9/24', 'https://192.168.8.1/', https],
  ['10.0.0.7/32', 'https://10.0.0.7/', undefined],
  ['0.0.0.0/0', 'https://203.0.113.9/', undefined],
])('with NO_PROXY=%s as an operator writes it, the proxy of %s is %s', (noProxy, url, proxy) => {
  const proxies = readProxies({ HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: noProxy });
  expect(findProxy(new URL(url), proxies)).toBe(proxy);
  // git reads it by curl, which knows blocks.
  expect(proxies.no_proxy?.split(',')).toContain(noProxy);
});

test('blocks of addresses that nothing understands are found', () => {
  const ignored = findIgnoredExceptions({ NO_PROXY: 'a.example.com, 10.0.0.0/8, fd00::/8,10.0.0.0/40,10.0.0/8' });
  expect(ignored).toEqual(['fd00::/8', '10.0.0.0/40', '10.0.0/8']);
});
