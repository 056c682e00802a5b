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
