import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const stateLifetimeMs = 60 * 60_000;
/** When there are more, the oldest are dropped. */
const maxSessions = 100;
const maxStates = 100;

/**
 * The browsers with a valid token, and the `state` of each registration that they started. A state is random, and valid once, for an hour, in
 * its own browser. All of it is in memory.
 */
export function createSetupSessions({ now = Date.now }: { now?: () => number } = {}) {
  /** Session → state → expiry. */
  const sessions = new Map<string, Map<string, number>>();
  const put = (sessionId: string, state: string) => {
    const states = sessions.get(sessionId);
    states?.set(state, now() + stateLifetimeMs);
    if (states) keepNewest(states, maxStates);
  };
  return {
    begin(): string {
      const sessionId = randomSecret();
      sessions.set(sessionId, new Map());
      keepNewest(sessions, maxSessions);
      return sessionId;
    },
    has: (sessionId: string): boolean => sessions.has(sessionId),
    issueState(sessionId: string): string {
      const state = randomSecret();
      put(sessionId, state);
      return state;
    },
    /** Uses up the state. Returns whether it was valid. */
    takeState(sessionId: string, state: string): boolean {
      const states = sessions.get(sessionId);
      const endsAt = states?.get(state);
      states?.delete(state);
      return endsAt !== undefined && now() < endsAt;
    },
    /** Makes a used state valid again, after a failure that can be retried. */
    returnState: put,
  };
}

/** A Map lists its oldest entries first. */
function keepNewest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

export type OneTimeToken = ReturnType<typeof createOneTimeToken>;

/** A secret that counts until it is redeemed. Compared in constant time. */
export function createOneTimeToken() {
  const value = randomSecret();
  const expected = digest(value);
  let isUsed = false;
  const isValid = (text: string) => timingSafeEqual(digest(text), expected) && !isUsed;
  return {
    value,
    isValid,
    /** Uses it up. Returns whether it was valid. */
    redeem(text: string): boolean {
      const wasValid = isValid(text);
      isUsed ||= wasValid;
      return wasValid;
    },
  };
}

/** 32 random bytes, in characters that need no escaping in a URL or a cookie. */
const randomSecret = (): string => randomBytes(32).toString('base64url');

const digest = (text: string) => createHash('sha256').update(text).digest();
