/** The default of the openai SDK. */
export const openaiUrl = 'https://api.openai.com/v1';

/** The address of a route. A query of the base URL, such as Azure's `?api-version=…`, stays at its end. */
export function addressOf(baseUrl: string | null, path: string): string {
  const url = new URL(baseUrl ?? openaiUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${path}`;
  url.hash = '';
  return url.href;
}

/**
 * `apiKey` may be empty for servers without keys. Azure takes keys in a header of its own, and only Entra's tokens as others do.
 * https://learn.microsoft.com/azure/ai-foundry/openai/reference#authentication
 */
export function writeAuthorization(
  baseUrl: string | null,
  apiKey: string,
): { authorization: string } | { 'api-key': string } {
  const isAzure = baseUrl !== null && new URL(baseUrl).hostname.endsWith('.azure.com');
  if (isAzure && !apiKey.startsWith('eyJ')) return { 'api-key': apiKey };
  return { authorization: `Bearer ${apiKey === '' ? 'none' : apiKey}` };
}
