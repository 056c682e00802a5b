import { isLoopbackUrl } from './is-loopback-url.ts';

/**
 * Whether one of GITHUB_API_URL and GITHUB_URL is github.com's and the other is not, as one problem or none: an operator who sets only one
 * of the two would have tokens of their own GitHub shown to github.com. Which addresses belong together elsewhere, behind a gateway
 * perhaps, they know themselves.
 */
export function findForeignApi({ apiUrl, webUrl }: { apiUrl: string; webUrl: string }): string[] {
  // What answers on this machine is its operator's own, a stand-in or a tunnel, and does not tell for which GitHub.
  if (isLoopbackUrl(apiUrl) || isLoopbackUrl(webUrl)) return [];
  const isCloudApi = new URL(apiUrl).hostname === 'api.github.com';
  const isCloudWeb = new URL(webUrl).hostname === 'github.com';
  if (isCloudApi === isCloudWeb) return [];
  return [
    `GITHUB_API_URL: ${apiUrl} is not the API of GITHUB_URL, ${webUrl}, and tokens of one would be sent to the other; set both: https://HOST/api/v3 with https://HOST, or https://api.SUBDOMAIN.ghe.com with https://SUBDOMAIN.ghe.com; or neither, for github.com`,
  ];
}
