import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { realTiming } from '../../../timing.ts';
import { createCookie } from './cookies.ts';

/** A sign-in on its way through GitHub. */
export interface PendingSignIn {
  state: string;
  /** Of PKCE: https://www.rfc-editor.org/rfc/rfc7636 */
  verifier: string;
  /** The page that the person wanted. */
  target: string;
}

/** Kept in the browser that began it, for ten minutes: nobody can end another browser's sign-in. */
export function createPendingSignIns({ origin }: { origin: () => string }) {
  const cookie = createCookie({ name: 'pagewright_sign_in', origin });
  return {
    begin(response: Response, target: string): PendingSignIn {
      const pending = { state: randomSecret(), verifier: randomSecret(), target };
      const value = [pending.state, pending.verifier, Buffer.from(target).toString('base64url')].join('.');
      cookie.write(response, value, { maxAgeMs: realTiming.sessions.signInMs });
      return pending;
    },
    /** Returns the sign-in of this browser with that state, once. */
    take(request: Request, response: Response, state: string): PendingSignIn | undefined {
      const [ownState = '', verifier = '', target = ''] = cookie.read(request).split('.');
      cookie.clear(response);
      if (ownState === '' || !isSame(ownState, state)) return undefined;
      return { state, verifier, target: Buffer.from(target, 'base64url').toString() };
    },
  };
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** 43 characters, as PKCE asks for. */
const randomSecret = (): string => randomBytes(32).toString('base64url');
