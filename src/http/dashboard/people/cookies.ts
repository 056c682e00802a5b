import type { Response } from 'express';
import { readCookie } from '../../pages/read-cookie.ts';

/** One cookie of the dashboard. Under https its name binds it to this host: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes */
export interface Cookie {
  read(request: { headers: { cookie?: string | undefined } }): string;
  write(response: Response, value: string, options: { maxAgeMs: number }): void;
  clear(response: Response): void;
}

export function createCookie({ name, origin }: { name: string; origin: () => string }): Cookie {
  const isSecure = () => origin().startsWith('https:');
  const fullName = () => (isSecure() ? `__Host-${name}` : name);
  // Lax: GitHub's redirect back must bring the cookie.
  const attributes = () => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure() }) as const;
  return {
    read: ({ headers }) => readCookie(headers.cookie, fullName()),
    write: (response, value, { maxAgeMs }) =>
      void response.cookie(fullName(), value, { ...attributes(), maxAge: maxAgeMs }),
    clear: (response) => void response.clearCookie(fullName(), attributes()),
  };
}
