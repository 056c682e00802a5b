import { Parked } from '../../errors.ts';
import { realTiming } from '../../timing.ts';
import type { GitHubApp } from './app.ts';
import { tokenLifeMs } from './mint-token.ts';
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
  /** As `openAccess`, but the scope ends only this use of the token: whoever asks for the same next gets the same token. */
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
 * Keeps each token while it is used and for `idleMs` after that, so that a review of thirty remarks and the replies to them take one token.
 * A token that is older than `maxAgeMs`, by default half of its life, or that a call failed with is handed out no more. All tokens end with
 * the pool.
 */
export function createAccessPool({
  github,
  secrets,
  idleMs = realTiming.github.idleAccessMs,
  maxAgeMs = tokenLifeMs / 2,
}: {
  github: GitHubApp;
  secrets: Secrets;
  idleMs?: number;
  maxAgeMs?: number;
}): AccessPool {
  /** The tokens that are handed out. */
  const kept = new Map<string, Kept>();
  /** All tokens that have not ended: those, and the ones that are still used but handed out no more. */
  const live = new Set<Kept>();
  const stopping = new AbortController();

  function find({ place, permissions, isForInstallation = false }: AccessRequest): Kept {
    const key = JSON.stringify([place.installationId, isForInstallation || place.repositoryId, permissions]);
    const known = kept.get(key);
    if (known && Date.now() - known.mintedAt < maxAgeMs) return known;
    // Not with the signal of whoever asks first, because others may wait for the same token.
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

/** The same client, which calls `onFailure` before any of its calls throws. */
function tellFailures<Client extends object>(client: Client, onFailure: () => void): Client {
  return new Proxy(client, {
    get(target, name) {
      const call: unknown = Reflect.get(target, name);
      if (typeof call !== 'function') return call;
      return async (...given: unknown[]) => {
        try {
          return await Reflect.apply(call, target, given);
        } catch (error) {
          // That GitHub may not be asked now says nothing about the token.
          if (!(error instanceof Parked)) onFailure();
          throw error;
        }
      };
    },
  });
}
