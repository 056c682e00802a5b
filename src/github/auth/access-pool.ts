import { Parked } from '../../errors.ts';
import type { GitHubApp } from './app.ts';
import { tokenLifeMs } from './mint-token.ts';
import {
  type AccessRequest,
  type MintedAccess,
  mintAccess,
  openClient,
  type RepositoryAccess,
  type Secrets,
} from './open-access.ts';

const idleAccessMs = 30_000;

export interface AccessPool extends AsyncDisposable {
  /** As `openAccess`, but the end of the scope keeps the token for the next request. */
  open(request: AccessRequest): Promise<RepositoryAccess>;
}

interface Kept {
  key: string;
  minted: Promise<MintedAccess>;
  mintedAt: number;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/** Keeps a token while it is used and `idleMs` longer, and reuses it until it is `maxAgeMs` old or a call with it fails. Revokes all tokens at its end. */
export function createAccessPool(options: {
  github: GitHubApp;
  secrets: Secrets;
  idleMs?: number;
  maxAgeMs?: number;
}): AccessPool {
  const { github, secrets, idleMs = idleAccessMs, maxAgeMs = tokenLifeMs / 2 } = options;
  const kept = new Map<string, Kept>();
  /** Kept tokens, and replaced tokens still in use. */
  const unrevoked = new Set<Kept>();
  const stopping = new AbortController();

  function find({ location, permissions, isForInstallation = false }: AccessRequest): Kept {
    const key = JSON.stringify([location.installationId, isForInstallation || location.repositoryId, permissions]);
    const current = kept.get(key);
    if (current && Date.now() - current.mintedAt < maxAgeMs) return current;
    // Not with the request's signal: others may wait for the same token.
    const minted = mintAccess({ github, secrets, location, permissions, isForInstallation, signal: stopping.signal });
    const entry: Kept = { key, minted, mintedAt: Date.now(), users: 0, idle: undefined };
    kept.set(key, entry);
    unrevoked.add(entry);
    return entry;
  }

  function evict(entry: Kept): void {
    if (kept.get(entry.key) === entry) kept.delete(entry.key);
  }

  async function end(entry: Kept): Promise<void> {
    if (!unrevoked.delete(entry)) return;
    clearTimeout(entry.idle);
    evict(entry);
    const minted = await entry.minted.catch(() => undefined);
    await minted?.[Symbol.asyncDispose]();
  }

  function release(entry: Kept): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (kept.get(entry.key) === entry) entry.idle = setTimeout(() => void end(entry), idleMs).unref();
    else void end(entry);
  }

  return {
    async open(request) {
      const entry = find(request);
      const isKept = entry.users > 0 || entry.idle !== undefined;
      clearTimeout(entry.idle);
      entry.users += 1;
      const onFailure = () => evict(entry);
      try {
        const minted = await entry.minted;
        const { token, repository } = minted;
        const client = reportFailures(openClient({ github, minted, isKept, ...request }), onFailure);
        return { token, repository, client, [Symbol.asyncDispose]: async () => release(entry) };
      } catch (error) {
        onFailure();
        release(entry);
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service is stopping'));
      await Promise.all([...unrevoked].map((entry) => end(entry)));
    },
  };
}

function reportFailures<Client extends object>(client: Client, onFailure: () => void): Client {
  return new Proxy(client, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return async (...args: unknown[]) => {
        try {
          return await Reflect.apply(call, target, args);
        } catch (error) {
          // A rate limit says nothing about the token.
          if (!(error instanceof Parked)) onFailure();
          throw error;
        }
      };
    },
  });
}
