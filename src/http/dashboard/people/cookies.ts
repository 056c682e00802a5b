import { createHash, randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Person } from '../../../github/calls/people-calls.ts';
import type { Database } from '../../../store/postgres/database.ts';
import { deleteSession, findSession, insertSession, recordSessionUse } from '../../../store/tables/access/sessions.ts';
import { realTiming } from '../../../timing.ts';
import { listCookieNames, readCookie } from '../../pages/read-cookie.ts';

/** One cookie of the dashboard. Under https its name binds it to this host: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes */
interface Cookie {
  read(request: { headers: { cookie?: string | undefined } }): string;
  write(response: Response, value: string, options: { maxAgeMs: number }): void;
  clear(response: Response): void;
}

export function createCookie({ name, origin }: { name: string; origin: () => string }): Cookie {
  const isSecure = () => isHttps(origin());
  const fullName = () => toFullName(name, origin());
  // Lax: GitHub's redirect back must bring the cookie.
  const attributes = () => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure() }) as const;
  return {
    read: ({ headers }) => readCookie(headers.cookie, fullName()),
    write: (response, value, { maxAgeMs }) =>
      void response.cookie(fullName(), value, { ...attributes(), maxAge: maxAgeMs }),
    clear: (response) => void response.clearCookie(fullName(), attributes()),
  };
}

/** The names of this browser's cookies that begin with `prefix`, oldest first. */
export function listOwnCookies(
  { headers }: { headers: { cookie?: string | undefined } },
  { prefix, origin }: { prefix: string; origin: () => string },
): string[] {
  const fullPrefix = toFullName(prefix, origin());
  return listCookieNames(headers.cookie)
    .filter((found) => found.startsWith(fullPrefix))
    .map((found) => prefix + found.slice(fullPrefix.length));
}

const isHttps = (origin: string) => origin.startsWith('https:');
const toFullName = (name: string, origin: string) => (isHttps(origin) ? `__Host-${name}` : name);

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
