import { readFileSync } from 'node:fs';
import { setGlobalProxyFromEnv } from 'node:http';
import { BlockList, isIPv4 } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy as curl reads it: its lower-case names count more. Without NO_PROXY, this machine is reached directly. Empty without a proxy. */
export function readProxies(environment: Environment): Record<string, string> {
  const read = (name: string) => environment[name] || environment[name.toUpperCase()] || undefined;
  const [http, https] = [read('http_proxy'), read('https_proxy')];
  if (http === undefined && https === undefined) return {};
  return {
    ...(http !== undefined && { http_proxy: http }),
    ...(https !== undefined && { https_proxy: https }),
    no_proxy: addRanges(read('no_proxy') ?? 'localhost,127.0.0.1,::1'),
  };
}

/** Node.js knows ranges, curl (which git uses) blocks such as 10.0.0.0/8: a block becomes both. */
const addRanges = (noProxy: string): string =>
  noProxy
    .split(',')
    .map((entry) => entry.trim())
    .flatMap((entry) => [entry, ...toRange(entry)])
    .join(',');

function toRange(entry: string): string[] {
  const [, address = '', length = ''] = /^([\d.]+)\/(\d{1,2})$/.exec(entry) ?? [];
  if (!isIPv4(address) || Number(length) > 32) return [];
  const size = 2 ** (32 - Number(length));
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = number - (number % size);
  return [`${formatIPv4(first)}-${formatIPv4(first + size - 1)}`];
}

const formatIPv4 = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');

/** Entries of NO_PROXY that nothing understands: blocks of IPv6 addresses, and blocks with a mistake. */
export const findIgnoredExceptions = (environment: Environment): string[] =>
  (environment.no_proxy ?? environment.NO_PROXY ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry.includes('/') && toRange(entry).length === 0);

/**
 * The proxy for a URL. NO_PROXY is read as Node.js reads it for all other requests: host, host:port, .domain, *.domain, *, and a range of
 * IPv4 addresses. https://nodejs.org/docs/latest-v24.x/api/http.html#built-in-proxy-support
 */
export function findProxy({ protocol, hostname, port }: URL, proxies: Readonly<Record<string, string>>) {
  const proxy = protocol === 'https:' ? proxies.https_proxy : proxies.http_proxy;
  if (proxy === undefined || !/^https?:$/.test(URL.parse(proxy)?.protocol ?? '')) return undefined;
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const withPort = `${host}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
  const isDirect = (entry: string) =>
    ['*', host, withPort, `.${host}`].includes(entry) ||
    (/^\*?\./.test(entry) && host.endsWith(entry.replace('*', ''))) ||
    isInRange(host, entry);
  const entries = (proxies.no_proxy ?? '').toLowerCase().split(',');
  return entries.some((entry) => isDirect(entry.trim())) ? undefined : proxy;
}

function isInRange(host: string, entry: string): boolean {
  const [first, last, ...rest] = entry.split('-').map((address) => address.trim());
  if (first === undefined || last === undefined || rest.length > 0 || ![host, first, last].every(isIPv4)) return false;
  const range = new BlockList();
  range.addRange(first, last);
  return range.check(host);
}

/** Lets all requests of this process take the proxy and trust the certificates that the environment names: Node.js itself does not see `.env`. */
export function useNetwork(environment: Environment): void {
  const proxies = readProxies(environment);
  const { http_proxy: http = '', https_proxy: https = '' } = proxies;
  // An invalid proxy URL is ignored: the doctor, which runs after each start, reports it.
  if (http + https !== '' && [http, https].every((proxy) => proxy === '' || URL.canParse(proxy)))
    setGlobalProxyFromEnv(proxies);
  const ca = environment.NODE_EXTRA_CA_CERTS;
  if (ca === undefined || ca === '') return;
  try {
    setDefaultCACertificates([...getCACertificates('default'), readFileSync(ca, 'utf8')]);
  } catch {
    // Node.js ignores it too: the doctor reports that the file cannot be read.
  }
}
