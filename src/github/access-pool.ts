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
  minted: Promise<MintedAccess>;
  mintedAt: number;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/** The remarks of one review, and what is said to them, come within this. */
const idleMs = 30_000;
/** Half of what GitHub lets a token live. */
const maxAgeMs = 30 * 60_000;

/**
 * Keeps each token for as long as it is asked for, and for half a minute more: a review of thirty remarks is shown thirty reactions with
 * one token. All of them end when it is disposed.
 */
export function createAccessPool({ github, secrets }: { github: GitHubApp; secrets: Secrets }): AccessPool {
  const kept = new Map<string, Kept>();
  const stopping = new AbortController();

  function find(key: string, { place, permissions }: AccessRequest): Kept {
    const known = kept.get(key);
    if (known && Date.now() - known.mintedAt < maxAgeMs) return known;
    // Not with the signal of whoever asks first: others wait for it as well.
    const minted = mintAccess({ github, secrets, place, permissions, signal: stopping.signal });
    const entry: Kept = { minted, mintedAt: Date.now(), users: 0, idle: undefined };
    kept.set(key, entry);
    return entry;
  }

  function forget(key: string, entry: Kept): Promise<void> {
    clearTimeout(entry.idle);
    if (kept.get(key) === entry) kept.delete(key);
    return entry.minted.then(
      (minted) => minted[Symbol.asyncDispose](),
      () => {},
    );
  }

  function release(key: string, entry: Kept): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (kept.get(key) !== entry) void forget(key, entry);
    else entry.idle = setTimeout(() => void forget(key, entry), idleMs).unref();
  }

  return {
    async open(request) {
      const { installationId, repositoryId } = request.place;
      const key = JSON.stringify([installationId, repositoryId, request.permissions]);
      const entry = find(key, request);
      clearTimeout(entry.idle);
      entry.users += 1;
      try {
        const minted = await entry.minted;
        const { token, repository } = minted;
        const client = openClient({ github, minted, ...request });
        return { token, repository, client, [Symbol.asyncDispose]: async () => release(key, entry) };
      } catch (error) {
        kept.delete(key);
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service is stopping'));
      await Promise.all([...kept].map(([key, entry]) => forget(key, entry)));
    },
  };
}
