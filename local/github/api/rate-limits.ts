import type { Caller } from '../auth/caller.ts';
import type { World } from '../state/world.ts';
import { ApiError } from './api-error.ts';

const usualLimit = 5000;
const windowSeconds = 3600;

/** The primary limit, of each installation and of the App itself: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
export function createRateLimits(world: World, { limit = usualLimit }: { limit?: number | undefined }) {
  const windows = new Map<string, { used: number; reset: number }>();

  function windowOf(caller: Caller) {
    const key = caller.kind === 'installation' ? `installation ${caller.token.installationId}` : caller.kind;
    const now = Math.floor(world.clock().getTime() / 1000);
    const current = windows.get(key);
    if (current && current.reset > now) return current;
    const fresh = { used: 0, reset: now + windowSeconds };
    windows.set(key, fresh);
    return fresh;
  }

  return {
    /** Throws when the limit is exceeded. */
    refuseExhausted(caller: Caller): void {
      if (windowOf(caller).used >= limit) throw primaryLimitError(caller);
    },
    count(caller: Caller): void {
      windowOf(caller).used += 1;
    },
    describe(caller: Caller) {
      const { used, reset } = windowOf(caller);
      return { limit, used, remaining: Math.max(0, limit - used), reset, resource: 'core' };
    },
    headers(caller: Caller): Record<string, string> {
      const { used, reset } = windowOf(caller);
      return limitHeaders({ limit, used, reset });
    },
  };
}

export type RateLimits = ReturnType<typeof createRateLimits>;

const limitHeaders = ({ limit, used, reset }: Record<'limit' | 'used' | 'reset', number>): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-used': String(used),
  'x-ratelimit-remaining': String(Math.max(0, limit - used)),
  'x-ratelimit-reset': String(reset),
  'x-ratelimit-resource': 'core',
});

export const exhaustedHeaders = (reset: Date): Record<string, string> =>
  limitHeaders({ limit: usualLimit, used: usualLimit, reset: Math.ceil(reset.getTime() / 1000) });

export const primaryLimitError = (caller: Caller): ApiError =>
  new ApiError(
    403,
    caller.kind === 'installation'
      ? `API rate limit exceeded for installation ID ${caller.token.installationId}.`
      : 'API rate limit exceeded',
  );
