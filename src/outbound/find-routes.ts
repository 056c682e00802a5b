import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { type AllowedHosts, isAllowedHost } from '../config/allowed-hosts.ts';
import { findProxy } from '../config/network.ts';
import { createGuardedLookup, findPublicAddresses, type Resolve, toHostAddress } from './webhook-url.ts';

export interface Network {
  allowed: AllowedHosts;
  resolve: Resolve;
  proxies: Readonly<Record<string, string>>;
}

interface Routes {
  isProxied: boolean;
  /** For requests to the URL, in the order to try. */
  options: [RequestOptions, ...RequestOptions[]];
}

/**
 * A proxy gets the checked address, so that it looks nothing up: the certificate and Host still have the name. It looks up only the hosts of
 * `WEBHOOK_ALLOWED_HOSTS`. Throws `UrlRefused` if no address is public.
 */
export async function findRoutes(url: URL, { allowed, resolve, proxies }: Network): Promise<Routes> {
  const isAllowed = isAllowedHost(allowed, url);
  const proxy = findProxy(url, proxies);
  if (proxy === undefined) {
    const lookup = isAllowed ? {} : { lookup: createGuardedLookup(resolve) };
    return { isProxied: false, options: [{ agent: false, ...lookup }] };
  }
  const proxyEnv = { http_proxy: proxy, https_proxy: proxy };
  const agent = url.protocol === 'https:' ? new HttpsAgent({ proxyEnv }) : new HttpAgent({ proxyEnv });
  if (isAllowed || isIP(toHostAddress(url)) !== 0) return { isProxied: true, options: [{ agent }] };
  const addresses = await findPublicAddresses(url.hostname, resolve);
  const byAddress = ({ address }: { address: string }): RequestOptions => ({
    agent,
    hostname: address,
    servername: url.hostname,
    headers: { host: url.host },
  });
  // Networks behind proxies often have no IPv6.
  const [first, ...others] = addresses.sort((one, other) => one.family - other.family);
  return { isProxied: true, options: [byAddress(first), ...others.map(byAddress)] };
}
