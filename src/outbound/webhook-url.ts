import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { type AllowedHosts, isAllowedHost, portOf } from '../config/urls.ts';

type Address = { address: string; family: number };
type Addresses = [Address, ...Address[]];

/** The addresses of a host, as a connection would look them up. */
export type Resolve = (hostname: string) => Promise<Address[]>;

export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true });

/** Pagewright sends nothing to this URL. The message completes a sentence that begins with the URL's name. */
export class UrlRefused extends Error {
  override readonly name = 'UrlRefused';
}

export const maxUrlLength = 2_048;

/** Checks the URL alone, without DNS. Throws `UrlRefused`. */
export function parseWebhookUrl(text: string, allowed: AllowedHosts): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text) || text.length > maxUrlLength || /[\s\p{Cc}]/u.test(text))
    throw new UrlRefused(`must be an http(s) URL of at most ${maxUrlLength.toLocaleString('en')} characters`);
  if (url.username !== '' || url.password !== '')
    throw new UrlRefused('must not contain a user or password: receivers check the signature');
  if (text.includes('#')) throw new UrlRefused('must not contain a fragment');
  if (isAllowedHost(allowed, url)) return url;
  if (url.protocol !== 'https:')
    throw new UrlRefused('must begin with https://; http:// is for WEBHOOK_ALLOWED_HOSTS only');
  const address = toHostAddress(url);
  if ((isIP(address) !== 0 && !isPublicAddress(address)) || isLocalName(url.hostname)) throw new UrlRefused(notPublic);
  const port = portOf(url);
  if (port !== 443 && port < 1_024)
    throw new UrlRefused(
      `must not use port ${port}: use 443, or 1024 and above, or ask the operator for WEBHOOK_ALLOWED_HOSTS`,
    );
  return url;
}

const notPublic =
  'must not lead to a private, loopback, link-local or metadata address; ask the operator for WEBHOOK_ALLOWED_HOSTS';

/** https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
const isLocalName = (hostname: string) => /(?:^|\.)localhost\.?$/.test(hostname);

/** An IPv6 address loses its brackets. */
export const toHostAddress = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/** The public ones of a host's addresses. Throws `UrlRefused` if there is none. */
export async function findPublicAddresses(hostname: string, resolve: Resolve): Promise<Addresses> {
  const found = await resolve(hostname);
  const [first, ...others] = found.filter(({ address }) => isPublicAddress(address));
  if (!first) throw new UrlRefused(found.length === 0 ? 'has no address' : notPublic);
  return [first, ...others];
}

/** For connections: only these addresses are connected to, so no second answer of DNS counts. */
export function createGuardedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    findPublicAddresses(hostname, resolve).then(
      (usable) => (options.all ? callback(null, usable) : callback(null, usable[0].address, usable[0].family)),
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

/**
 * For a URL that somebody wants to store: also asks DNS. A name without an answer in time may have one later, and is checked then. Throws
 * `UrlRefused`.
 */
export async function checkWebhookUrl(
  text: string,
  { allowed, resolve, withinMs }: { allowed: AllowedHosts; resolve: Resolve; withinMs: number },
): Promise<void> {
  const url = parseWebhookUrl(text, allowed);
  if (isAllowedHost(allowed, url) || isIP(toHostAddress(url)) !== 0) return;
  const answer = resolve(url.hostname).catch(() => []);
  const found = await Promise.race([answer, delay(withinMs, [], { ref: false })]);
  if (found.length > 0 && !found.some(({ address }) => isPublicAddress(address))) throw new UrlRefused(notPublic);
}

/** A public range, but a service of the host: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16 */
const hostServices = ['168.63.129.16'];
/** https://www.iana.org/assignments/ipv6-unicast-address-assignments */
const globalUnicast = ipaddr.parseCIDR('2000::/3');
/** Networks without IPv4 reach it so: https://www.rfc-editor.org/rfc/rfc6052#section-2.1 */
const nat64 = ipaddr.parseCIDR('64:ff9b::/96');

/** Whether the address is one host of the public internet; false if unknown. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.range() === 'unicast' && !hostServices.includes(address.toString());
  if (address.match(nat64)) return isPublicAddress(address.toByteArray().slice(-4).join('.'));
  return address.range() === 'unicast' && address.match(globalUnicast);
}
