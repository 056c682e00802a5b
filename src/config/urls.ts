import { isIPv6 } from 'node:net';

/** Below PUBLIC_URL. */
export const webhookPath = '/api/github/webhooks';

/** Below PUBLIC_URL: GitHub sends people back to it when they sign in to the dashboard. */
export const callbackPath = '/auth/callback';

/** The address of the listener, for a browser on this machine. */
export function formatLocalUrl({ host, port }: { host: string; port: number }): string {
  const isAnyAddress = host === '0.0.0.0' || host === '::' || host === '';
  const name = isIPv6(host) ? `[${host}]` : host;
  return `http://${isAnyAddress ? 'localhost' : name}:${port}`;
}

export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(?:(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/.test(hostname);
}

/** An operator who sets only one URL would send the tokens of a GitHub Enterprise to github.com. */
export function findUrlMismatch({ apiUrl, webUrl }: { apiUrl: string; webUrl: string }): string[] {
  // A loopback address is a stand-in or a tunnel, to any GitHub.
  if (isLoopbackUrl(apiUrl) || isLoopbackUrl(webUrl)) return [];
  const isCloudApi = new URL(apiUrl).hostname === 'api.github.com';
  const isCloudWeb = new URL(webUrl).hostname === 'github.com';
  if (isCloudApi === isCloudWeb) return [];
  return [
    `GITHUB_API_URL: ${apiUrl} is not the API of GITHUB_URL, ${webUrl}, so tokens would reach the wrong server; set both: https://HOST/api/v3 with https://HOST, or https://api.SUBDOMAIN.ghe.com with https://SUBDOMAIN.ghe.com; or neither, for github.com`,
  ];
}

/** `port` null: every port. */
export type AllowedHosts = readonly { hostname: string; port: number | null }[];

/** Reads `host` and `host:port`, separated by commas; an IPv6 address is in brackets. Undefined: an entry is neither. */
export function parseAllowedHosts(text: string): AllowedHosts | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const hosts = entries.flatMap((entry) => parseEntry(entry) ?? []);
  return hosts.length === entries.length ? hosts : undefined;
}

function parseEntry(entry: string): AllowedHosts[number] | undefined {
  const [, host = '', digits] = /^(\[[\da-f:.]+\]|[^\s/:?#@\\[\]*]+)(?::(\d{1,5}))?$/i.exec(entry) ?? [];
  const hostname = host === '' ? undefined : URL.parse(`http://${host}`)?.hostname;
  const port = digits === undefined ? null : Number(digits);
  if (hostname === undefined || (port !== null && (port < 1 || port > 65_535))) return undefined;
  return { hostname, port };
}

export function isAllowedHost(allowed: AllowedHosts, url: URL): boolean {
  return allowed.some(({ hostname, port }) => hostname === url.hostname && (port === null || port === portOf(url)));
}

export function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
