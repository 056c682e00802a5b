/** Below PUBLIC_URL. */
export const webhookPath = '/api/github/webhooks';

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
