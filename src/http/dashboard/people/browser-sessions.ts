import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Person } from '../../../github/calls/people-calls.ts';
import type { Database } from '../../../store/postgres/database.ts';
import { deleteSession, findSession, insertSession, recordSessionUse } from '../../../store/tables/access/sessions.ts';
import { realTiming } from '../../../timing.ts';
import { createCookie } from './cookies.ts';

/** People who are signed in. The browser has a secret in a cookie, the database its digest. */
export interface Sessions {
  /** Counts as a use, unless `isLook`. */
  find(database: Database, request: Request, options?: { isLook?: boolean }): Promise<Person | undefined>;
  /** Always a new session: a session that somebody else put into the browser must not become the person's. */
  begin(database: Database, exchange: { request: Request; response: Response; person: Person }): Promise<void>;
  end(database: Database, exchange: { request: Request; response: Response }): Promise<void>;
}

export function createBrowserSessions({ origin }: { origin: () => string }): Sessions {
  const cookie = createCookie({ name: 'pagewright_session', origin });
  const { longestMs } = realTiming.sessions;

  async function forget(database: Database, request: Request): Promise<void> {
    const secret = cookie.read(request);
    if (secret !== '') await deleteSession(database, digest(secret));
  }

  return {
    async find(database, request, { isLook = false } = {}) {
      const secret = cookie.read(request);
      if (!isSecret(secret)) return undefined;
      const session = await findSession(database, digest(secret));
      if (!session) return undefined;
      if (!isLook) await recordSessionUse(database, session);
      return { login: session.login, userId: session.user_id };
    },
    async begin(database, { request, response, person }) {
      await forget(database, request);
      const secret = randomBytes(32).toString('base64url');
      await insertSession(database, { sha256: digest(secret), ...person });
      cookie.write(response, secret, { maxAgeMs: longestMs });
    },
    async end(database, { request, response }) {
      await forget(database, request);
      cookie.clear(response);
    },
  };
}

const isSecret = (text: string) => /^[\w-]{43}$/.test(text);

const digest = (secret: string) => createHash('sha256').update(secret).digest();
