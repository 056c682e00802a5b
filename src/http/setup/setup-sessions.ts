import { randomSecret } from './one-time-token.ts';

const stateLifetimeMs = 60 * 60_000;
/** More browsers, or more forms in one, than a person uses; the oldest go first. */
const maxSessions = 100;
const maxStates = 100;

/**
 * The browsers that were let in, and the `state` of each registration that they began: random, good once, for an hour, and only in the
 * browser that it was made for. All of it is in memory and ends with the set-up.
 */
export function createSetupSessions({ now = Date.now }: { now?: () => number } = {}) {
  /** Session → state → when it ends. */
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
    /** Whether it was a state of this session and is now used. */
    takeState(sessionId: string, state: string): boolean {
      const states = sessions.get(sessionId);
      const endsAt = states?.get(state);
      states?.delete(state);
      return endsAt !== undefined && now() < endsAt;
    },
    /** Makes a state that was taken valid again: what it was taken for failed, and may be tried once more. */
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
