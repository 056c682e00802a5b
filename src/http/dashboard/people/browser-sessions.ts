import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Person } from '../../../github/calls/people-calls.ts';
import type { Database } from '../../../store/postgres/database.ts';
import { deleteSession, findSession, insertSession, recordSessionUse } from '../../../store/tables/access/sessions.ts';
import { realTiming } from '../../../timing.ts';
import { createCookie } from './cookies.ts';

interface Exchange {
  request: Request;
  response: Response;
}

export type Sessions = ReturnType<typeof createBrowserSessions>;

/** People who are signed in. The browser has a secret in a cookie, the database its digest. */
export function createBrowserSessions({ origin }: { origin: () => string }) {
  const cookie = createCookie({ name: 'pagewright_session', origin });
  const { longestMs } = realTiming.sessions;

  async function forget(database: Database, request: Request): Promise<void> {
    const secret = cookie.read(request);
    if (secret !== '') await deleteSession(database, digest(secret));
  }

  return {
    /** Counts as a use, unless `isLook`. */
    async find(database: Database, request: Request, { isLook = false } = {}): Promise<Person | undefined> {
      const secret = cookie.read(request);
      if (!isSecret(secret)) return undefined;
      const session = await findSession(database, digest(secret));
      if (!session) return undefined;
      if (!isLook) await recordSessionUse(database, session);
      return { login: session.login, userId: session.user_id };
    },
    /** Always a new session: a session that somebody else put into the browser must not become the person's. */
    async begin(database: Database, { request, response, person }: Exchange & { person: Person }): Promise<void> {
      await forget(database, request);
      const secret = randomBytes(32).toString('base64url');
      await insertSession(database, { sha256: digest(secret), ...person });
      cookie.write(response, secret, { maxAgeMs: longestMs });
    },
    async end(database: Database, { request, response }: Exchange): Promise<void> {
      await forget(database, request);
      cookie.clear(response);
    },
  };
}

const isSecret = (text: string) => /^[\w-]{43}$/.test(text);

const digest = (secret: string) => createHash('sha256').update(secret).digest();
