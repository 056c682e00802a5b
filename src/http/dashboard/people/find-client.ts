import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

const proxies = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  proxies.addSubnet(network, prefix, 'ipv4');
proxies.addAddress('::1', 'ipv6');
proxies.addSubnet('fc00::', 7, 'ipv6');

/** The network address that a request came from. Behind a proxy on a private address, it is the one that the proxy names last. */
export function findClient({ socket, headers }: IncomingMessage): string {
  const { remoteAddress = '' } = socket;
  const plain = remoteAddress.replace(/^::ffff:/, '');
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').at(-1)?.trim() ?? '';
  const isBehindProxy = forwarded !== '' && proxies.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  return isBehindProxy ? forwarded : plain;
}
