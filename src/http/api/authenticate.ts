import { verifyKey } from '../../keys/verify-key.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { UsableApiKey } from '../../store/tables/api-keys.ts';
import { Problem } from '../problem.ts';

/** Asks the database on behalf of a caller who waits for the answer. */
type Ask = <T>(work: (database: Database) => Promise<T>) => Promise<T>;

/**
 * Finds the API key of a request by its `Authorization` header. Whatever is wrong with it, the answer is the same 401, from which nobody
 * who tries keys learns anything.
 */
export async function authenticate(authorization: string | undefined, ask: Ask): Promise<UsableApiKey> {
  const text = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  const apiKey = text && (await ask((database) => verifyKey(database, text)));
  if (!apiKey) throw unauthorized(text !== undefined);
  return apiKey;
}

/** https://www.rfc-editor.org/rfc/rfc6750#section-3 */
function unauthorized(isKeyGiven: boolean): Problem {
  const challenge = `Bearer realm="pagewright"${isKeyGiven ? ', error="invalid_token"' : ''}`;
  return new Problem('unauthorized', 'Send a valid API key of this project as `Authorization: Bearer pagewright_…`.', {
    headers: { 'WWW-Authenticate': challenge },
  });
}
