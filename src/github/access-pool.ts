import { Parked } from '../errors.ts';
import type { GitHubApp } from './app.ts';
import {
  type Access,
  type AccessRequest,
  type MintedAccess,
  mintAccess,
  openClient,
  type Secrets,
} from './open-access.ts';

/** Opens repositories for short questions and answers, many of which come together. */
export interface AccessPool extends AsyncDisposable {
  /** As `openAccess`. What ends with the scope is the use of the token; the token goes on to whoever asks for the same next. */
  open(request: AccessRequest): Promise<Access>;
}

interface Kept {
  /** What it is for. */
  key: string;
  minted: Promise<MintedAccess>;
  mintedAt: number;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/**
 * Keeps each token for as long as it is asked for, and for `idleMs` more: a review of thirty remarks, and what is said to them, takes one
 * token. One that is older than `maxAgeMs`, by default half of what GitHub lets it live, or that anything failed with, is handed out no
 * more. All of them end when the pool is disposed.
 */
export function createAccessPool({
  github,
  secrets,
  idleMs = 30_000,
  maxAgeMs = 30 * 60_000,
}: {
  github: GitHubApp;
  secrets: Secrets;
  idleMs?: number;
  maxAgeMs?: number;
}): AccessPool {
  /** What is handed out. */
  const kept = new Map<string, Kept>();
  /** What is not ended yet: that, and what is still used though it is handed out no more. */
  const live = new Set<Kept>();
  const stopping = new AbortController();

  function find({ place, permissions, isForInstallation = false }: AccessRequest): Kept {
    const key = JSON.stringify([place.installationId, isForInstallation || place.repositoryId, permissions]);
    const known = kept.get(key);
    if (known && Date.now() - known.mintedAt < maxAgeMs) return known;
    // Not with the signal of whoever asks first: others wait for it as well.
    const minted = mintAccess({ github, secrets, place, permissions, isForInstallation, signal: stopping.signal });
    const entry: Kept = { key, minted, mintedAt: Date.now(), users: 0, idle: undefined };
    kept.set(key, entry);
    live.add(entry);
    return entry;
  }

  function evict(entry: Kept): void {
    if (kept.get(entry.key) === entry) kept.delete(entry.key);
  }

  async function end(entry: Kept): Promise<void> {
    if (!live.delete(entry)) return;
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
        const client = tellFailures(openClient({ github, minted, isKept, ...request }), onFailure);
        return { token, repository, client, [Symbol.asyncDispose]: async () => release(entry) };
      } catch (error) {
        onFailure();
        release(entry);
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service is stopping'));
      await Promise.all([...live].map((entry) => end(entry)));
    },
  };
}

/** The same client; whatever a call of it throws is told first. */
function tellFailures<Client extends object>(client: Client, onFailure: () => void): Client {
  return new Proxy(client, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return async (...given: unknown[]) => {
        try {
          return await Reflect.apply(call, target, given);
        } catch (error) {
          // That GitHub does not listen now says nothing of the token.
          if (!(error instanceof Parked)) onFailure();
          throw error;
        }
      };
    },
  });
}
