import { expect, test } from 'vitest';
import { findProxy } from '../../src/config/network.ts';

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
