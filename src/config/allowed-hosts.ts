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
