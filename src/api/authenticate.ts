import { verifyKey } from '../keys/verify-key.ts';
import type { ApiKey } from '../store/api-keys.ts';
import { readInTime } from '../store/availability.ts';
import type { Database } from '../store/database.ts';
import { Problem } from './problem.ts';

export type Authenticate = (authorization: string | undefined) => Promise<ApiKey>;

/**
 * Finds the API key of a request by its `Authorization` header. Whatever is wrong with it, the answer is the same 401: who tries
 * keys learns nothing. A database that is silent is noticed here, before anything was accepted.
 */
export function createAuthenticate(database: Database): Authenticate {
  return async (authorization) => {
    const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    const apiKey = text && (await readInTime(verifyKey(database, text)));
    if (!apiKey) throw unauthorized(text !== undefined);
    return apiKey;
  };
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function unauthorized(isKeyGiven: boolean): Problem {
  const challenge = `Bearer realm="pagewright"${isKeyGiven ? ', error="invalid_token"' : ''}`;
  return new Problem('unauthorized', 'Send a valid API key of this project as `Authorization: Bearer pagewright_…`.', {
    headers: { 'WWW-Authenticate': challenge },
  });
}
