import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../store/postgres/database.ts';
import { countAttempt, forgiveAttempts } from '../../../store/tables/access/sessions.ts';

/** Attempts to sign in, per address and minute: each may cost a request to GitHub. All processes count together. */
export function createAttempts() {
  /** Until when an address must wait, in milliseconds: meanwhile it costs no query. */
  const waiting = new LRUCache<string, number>({ max: 10_000 });
  return {
    /** Returns the seconds to wait; 0: the attempt is allowed. */
    async begin(database: Database, request: IncomingMessage): Promise<number> {
      const client = findClient(request);
      const leftMs = (waiting.get(client) ?? 0) - Date.now();
      if (leftMs > 0) return Math.ceil(leftMs / 1_000);
      const waitSeconds = await countAttempt(database, digest(client));
      if (waitSeconds > 0) waiting.set(client, Date.now() + waitSeconds * 1_000);
      return waitSeconds;
    },
    /** Uncounts the attempts of a person who signed in: many people may share an address. */
    succeed: (database: Database, request: IncomingMessage) => forgiveAttempts(database, digest(findClient(request))),
  };
}

const digest = (client: string) => createHash('sha256').update(client).digest();

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
