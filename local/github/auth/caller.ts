import { ApiError } from '../api/api-error.ts';
import { findPersonOfToken, hasSecret } from '../apps/user-authorization.ts';
import type { Account } from '../state/account.ts';
import { refuseSuspended, requireInstallation } from '../state/installations.ts';
import type { Token, World } from '../state/world.ts';
import { verifyAppJwt } from './app-jwt.ts';
import { findToken } from './tokens.ts';

export type Caller =
  | { kind: 'app' }
  | { kind: 'installation'; token: Token }
  /** A person, by the token that they authorized. */
  | { kind: 'user'; person: Account }
  /** The App, by its client id and secret. */
  | { kind: 'client' }
  | { kind: 'nobody' };

/** Identifies the sender by the Authorization header. Throws 401 for bad credentials, 403 for a suspended installation. */
export function authenticate(world: World, authorization: string | undefined): Caller {
  if (!authorization) return { kind: 'nobody' };
  const [scheme = '', value = ''] = authorization.split(/\s+/);
  if (/^bearer$/i.test(scheme) && value.split('.').length === 3 && !value.startsWith('ghs_')) {
    verifyAppJwt(world, value);
    return { kind: 'app' };
  }
  if (/^basic$/i.test(scheme)) return authenticateClient(world, value);
  if (!/^(bearer|token)$/i.test(scheme)) throw badCredentials();
  if (value.startsWith('ghu_')) return authenticateUser(world, value);
  return callerOfToken(world, value);
}

function authenticateUser(world: World, token: string): Caller {
  const person = findPersonOfToken(world, token);
  if (!person) throw badCredentials();
  return { kind: 'user', person };
}

function authenticateClient({ app }: World, encoded: string): Caller {
  const [clientId, secret = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  if (!app || clientId !== app.clientId || !hasSecret(app, secret)) throw badCredentials();
  return { kind: 'client' };
}

export function callerOfToken(world: World, value: string): Caller {
  const token = findToken(world, value);
  if (!token) throw badCredentials();
  refuseSuspended(requireInstallation(world, token.installationId));
  return { kind: 'installation', token };
}

/** Returns the refusal of `authenticate` as a value: the request is logged and meets its faults before it is refused. */
export function identify(authenticateNow: () => Caller): { caller: Caller; problem?: ApiError } {
  try {
    return { caller: authenticateNow() };
  } catch (error) {
    if (error instanceof ApiError) return { caller: { kind: 'nobody' }, problem: error };
    throw error;
  }
}

const badCredentials = () => new ApiError(401, 'Bad credentials');
