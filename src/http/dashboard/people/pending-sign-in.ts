import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { createCookie, listOwnCookies } from './cookies.ts';

/** From the button to the way back from GitHub. */
const signInMs = 10 * 60_000;

/** A sign-in that waits for GitHub's redirect. */
interface PendingSignIn {
  state: string;
  /** Of PKCE: https://www.rfc-editor.org/rfc/rfc7636 */
  verifier: string;
  /** The page that the person wanted. */
  target: string;
}

/** Tabs that sign in at once; a new one replaces the oldest. */
const mostPerBrowser = 5;
const prefix = 'pagewright_sign_in_';

/**
 * Kept in the browser that began it, for ten minutes: nobody can complete another browser's sign-in. Each has a separate cookie, so that
 * tabs that begin at the same moment do not overwrite each other's.
 */
export function createPendingSignIns({ origin }: { origin: () => string }) {
  const cookieOf = (state: string) => createCookie({ name: toName(state), origin });
  return {
    begin({ request, response }: { request: Request; response: Response }, target: string): PendingSignIn {
      const names = listOwnCookies(request, { prefix, origin });
      for (const name of names.slice(0, Math.max(0, names.length - mostPerBrowser + 1)))
        createCookie({ name, origin }).clear(response);
      const pending = { state: randomSecret(), verifier: randomSecret(), target };
      const value = [pending.state, pending.verifier, Buffer.from(target).toString('base64url')].join('.');
      cookieOf(pending.state).write(response, value, { maxAgeMs: signInMs });
      return pending;
    },
    /** Returns the sign-in of this browser with that state, once. */
    take(request: Request, response: Response, state: string): PendingSignIn | undefined {
      if (!/^[\w-]{43}$/.test(state)) return undefined;
      const cookie = cookieOf(state);
      const [ownState = '', verifier = '', target = ''] = cookie.read(request).split('.');
      if (!isSame(ownState, state)) return undefined;
      cookie.clear(response);
      return { state, verifier, target: Buffer.from(target, 'base64url').toString() };
    },
  };
}

const toName = (state: string) => `${prefix}${state.slice(0, 10)}`;

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** 43 characters, as PKCE asks for. */
const randomSecret = (): string => randomBytes(32).toString('base64url');
