import type { Response } from 'express';
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
