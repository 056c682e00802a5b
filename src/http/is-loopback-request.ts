import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { isLoopbackUrl } from '../config/urls.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;
const forwardingHeader = /^(?:forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|x-forwarded\b.*)$/;

/**
 * Whether a request comes from a program on this machine, and not through a local proxy. A foreign Host is refused: a web page may have a
 * name that resolves to this machine (DNS rebinding). A proxy that rewrites Host, adds no header and speaks HTTP/1.1 is not detected.
 */
export function isLoopbackRequest(options: {
  headers: IncomingHttpHeaders;
  httpVersion: string;
  socket: { remoteAddress?: string | undefined };
}): boolean {
  const { socket, headers, httpVersion } = options;
  const { remoteAddress = '' } = socket;
  if (!loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return false;
  if (!loopbackHost.test(headers.host ?? '')) return false;
  // nginx's default, with a rewritten Host and no forwarding header; browsers no longer use it:
  // https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_http_version
  if (httpVersion === '1.0') return false;
  return !Object.keys(headers).some((name) => forwardingHeader.test(name));
}

/**
 * Whether a request may see what only the operator on this machine may see. With a public PUBLIC_URL none may: there is a proxy, and one that
 * adds no header looks like a program on this machine.
 */
export const createLocalCheck =
  (publicUrl: string | null) =>
  (request: IncomingMessage): boolean =>
    (publicUrl === null || isLoopbackUrl(publicUrl)) && isLoopbackRequest(request);
