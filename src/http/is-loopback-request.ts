import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const forwardingHeader = /^(?:forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|x-forwarded\b.*)$/;

/**
 * Whether a request comes from a program on this very machine, and not through a proxy that runs on it. A foreign name in Host means a
 * web page that had its own name resolve to us (DNS rebinding).
 *
 * A proxy that rewrites Host, adds no header and speaks HTTP/1.1 cannot be told from a browser here.
 */
export function isLoopbackRequest({
  socket,
  headers,
  httpVersion,
}: Pick<IncomingMessage, 'headers' | 'httpVersion'> & { socket: { remoteAddress?: string | undefined } }): boolean {
  const { remoteAddress = '' } = socket;
  if (!loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return false;
  if (!loopbackHost.test(headers.host ?? '')) return false;
  // No browser speaks HTTP/1.0 any more, and nginx does by default, with a Host of its own and no header that tells:
  // https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_http_version
  if (httpVersion === '1.0') return false;
  return !Object.keys(headers).some((name) => forwardingHeader.test(name));
}
