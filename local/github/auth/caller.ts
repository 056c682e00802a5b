import { ApiError } from '../api/api-error.ts';
import { refuseSuspended, requireInstallation } from '../state/installations.ts';
import type { Token, World } from '../state/world.ts';
import { verifyAppJwt } from './app-jwt.ts';
import { findToken } from './tokens.ts';

export type Caller = { kind: 'app' } | { kind: 'installation'; token: Token } | { kind: 'nobody' };

/** Who sends a request with this Authorization header; throws 401 for credentials that are none, 403 when suspended. */
export function authenticate(world: World, authorization: string | undefined): Caller {
  if (!authorization) return { kind: 'nobody' };
  const [scheme = '', value = ''] = authorization.split(/\s+/);
  if (/^bearer$/i.test(scheme) && value.split('.').length === 3 && !value.startsWith('ghs_')) {
    verifyAppJwt(world, value);
    return { kind: 'app' };
  }
  if (!/^(bearer|token)$/i.test(scheme)) throw badCredentials();
  return callerOfToken(world, value);
}

export function callerOfToken(world: World, value: string): Caller {
  const token = findToken(world, value);
  if (!token) throw badCredentials();
  refuseSuspended(requireInstallation(world, token.installationId));
  return { kind: 'installation', token };
}

/** What `authenticate` finds out, as a value: a refusal has to wait until the request was logged and its faults had their turn. */
export function identify(authenticateNow: () => Caller): { caller: Caller; problem?: ApiError } {
  try {
    return { caller: authenticateNow() };
  } catch (error) {
    if (error instanceof ApiError) return { caller: { kind: 'nobody' }, problem: error };
    throw error;
  }
}

const badCredentials = () => new ApiError(401, 'Bad credentials');
