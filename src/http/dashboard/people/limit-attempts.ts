import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';

const windowMs = 60_000;
const mostAttempts = 30;

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

/**
 * Attempts to sign in, per address and minute: each may cost a request to GitHub. Behind a proxy on a private address, the address is the
 * one that the proxy names last.
 */
export function createAttempts({ now = Date.now }: { now?: () => number } = {}) {
  const windows = new LRUCache<string, { startedAt: number; count: number }>({ max: 10_000 });
  const current = (key: string) => {
    const window = windows.get(key);
    return window && now() - window.startedAt < windowMs ? window : { startedAt: now(), count: 0 };
  };
  return {
    /** Returns the seconds to wait; 0: the attempt may go on. */
    begin(request: IncomingMessage): number {
      const key = findClient(request);
      const window = current(key);
      if (window.count >= mostAttempts) return Math.ceil((window.startedAt + windowMs - now()) / 1_000);
      window.count += 1;
      windows.set(key, window);
      return 0;
    },
    /** People who sign in count for nothing: many may share an address. */
    succeed(request: IncomingMessage): void {
      const window = current(findClient(request));
      window.count = Math.max(0, window.count - 2);
    },
  };
}

function findClient({ socket, headers }: IncomingMessage): string {
  const { remoteAddress = '' } = socket;
  const plain = remoteAddress.replace(/^::ffff:/, '');
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().join(',').split(',').at(-1)?.trim() ?? '';
  const isBehindProxy = forwarded !== '' && proxies.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  return isBehindProxy ? forwarded : plain;
}
