import { isLoopbackUrl } from './is-loopback-url.ts';

/**
 * The problem, if there is one, that one of GITHUB_API_URL and GITHUB_URL is github.com's and the other is not: an operator who sets only
 * one of the two would send tokens of their own GitHub to github.com. Other pairs are left to the operator, who alone knows which addresses
 * belong together behind a gateway, for example.
 */
export function findForeignApi({ apiUrl, webUrl }: { apiUrl: string; webUrl: string }): string[] {
  // An address on this machine is a stand-in or a tunnel of the operator's, and does not tell to which GitHub.
  if (isLoopbackUrl(apiUrl) || isLoopbackUrl(webUrl)) return [];
  const isCloudApi = new URL(apiUrl).hostname === 'api.github.com';
  const isCloudWeb = new URL(webUrl).hostname === 'github.com';
  if (isCloudApi === isCloudWeb) return [];
  return [
    `GITHUB_API_URL: ${apiUrl} is not the API of GITHUB_URL, ${webUrl}, and tokens of one would be sent to the other; set both: https://HOST/api/v3 with https://HOST, or https://api.SUBDOMAIN.ghe.com with https://SUBDOMAIN.ghe.com; or neither, for github.com`,
  ];
}
