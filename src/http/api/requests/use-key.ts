import type { Request } from 'express';
import { verifyKey } from '../../../keys/project-keys.ts';
import { withDeadline } from '../../../store/postgres/availability.ts';
import type { Database } from '../../../store/postgres/database.ts';
import type { Store } from '../../../store/store.ts';
import type { UsableApiKey } from '../../../store/tables/access/api-keys.ts';
import { realTiming } from '../../../timing.ts';
import { HttpProblem } from '../../problem.ts';

/** What an API key opens. */
export interface KeyAccess {
  apiKey: UsableApiKey;
  projectId: string;
  /** Runs the request's queries within the time that is left for them, and rolls them back when that time is up. */
  withDeadline: <T>(work: (store: Store) => Promise<T>) => Promise<T>;
}

/** Works with what the key opens. Throws the problem 401 if the key is not valid. */
export async function useKey<T>(
  { database, queue }: Store,
  key: string,
  work: (access: KeyAccess) => Promise<T>,
): Promise<T> {
  const query = limitQueryTime(database);
  const { working } = await query(async (connection) => {
    const apiKey = await verifyKey(connection, key);
    if (!apiKey) throw unauthorized(', error="invalid_token"');
    const shared = shareUntilIdle(connection);
    const withDeadline: KeyAccess['withDeadline'] = (workInTime) => {
      const onStore = (at: Database) => workInTime({ database: at, queue });
      return shared.use(onStore) ?? query(onStore);
    };
    const working = work({ apiKey, projectId: apiKey.project_id, withDeadline });
    // It is awaited below, after the connection is released.
    working.catch(() => {});
    await shared.idle();
    return { working };
  });
  return working;
}

type Query = <T>(work: (database: Database) => Promise<T>) => Promise<T>;

/** Limits the total time of one request's queries; throws `DatabaseTimeout` when it is used up. Other waiting, such as for the body, is not counted. */
function limitQueryTime(database: Database): Query {
  let leftMs = realTiming.http.queryMs;
  return async (work) => {
    const startedAt = performance.now();
    try {
      return await withDeadline(database, { withinMs: leftMs }, work);
    } finally {
      leftMs -= performance.now() - startedAt;
    }
  };
}

/** Runs queries until `idle` is called: a request that waits for anything else, such as its body, must not occupy a connection. */
function shareUntilIdle(connection: Database) {
  let isShared = true;
  let inUse: Promise<unknown> | undefined;
  return {
    /** Undefined: the connection is in use, or no longer shared. */
    use<T>(work: (database: Database) => Promise<T>): Promise<T> | undefined {
      if (!isShared || inUse !== undefined) return undefined;
      const working = work(connection);
      inUse = working;
      return working;
    },
    /** Resolves when the work that has begun is done, or has failed. */
    async idle(): Promise<void> {
      isShared = false;
      await inUse?.catch(() => {});
    },
  };
}

/** Throws the problem 401 if the request has none. */
export function readApiKey(request: Request): string {
  const key = /^Bearer +(\S+)$/i.exec(request.get('authorization') ?? '')?.[1];
  if (key === undefined) throw unauthorized('');
  return key;
}

/** The same 401 for every kind of bad key: it must not help anybody to guess one. https://www.rfc-editor.org/rfc/rfc6750#section-3 */
const unauthorized = (error: '' | ', error="invalid_token"') =>
  new HttpProblem('unauthorized', 'Send a valid API key of this project as `Authorization: Bearer pagewright_…`.', {
    headers: { 'WWW-Authenticate': `Bearer realm="pagewright"${error}` },
  });
