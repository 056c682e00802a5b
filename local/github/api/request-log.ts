import type { Request, Response } from 'express';
import type { Caller } from '../auth/caller.ts';
import type { Permissions } from '../state/permissions.ts';
import type { World } from '../state/world.ts';

/** One request that reached the stand-in, for assertions. */
export interface LoggedRequest {
  method: string;
  /** Without the API's prefix and without the query: `/repos/acme/docs/pulls`, `/acme/docs.git/git-receive-pack`. */
  path: string;
  query: Record<string, string>;
  api: 'rest' | 'graphql' | 'git';
  /** The route without its values: `POST /repos/:owner/:repo/pulls`, `POST git-receive-pack`. */
  route: string;
  body: unknown;
  /** The sender, without the token. */
  tokenInfo:
    | { kind: 'app' | 'user' | 'client' | 'nobody' }
    | { kind: 'installation'; installationId: number; repositoryIds: number[] | null; permissions: Permissions };
  /** null: no answer yet, or the connection was reset. */
  status: number | null;
  /** Whether the request was carried out: a fault may answer 502 before or after that. */
  done: boolean;
  at: Date;
}

/** Logs a request on arrival; its status follows with the answer. The caller sets `done`. */
export function logRequest({
  world,
  requests,
  request,
  response,
  path,
  api,
  route,
  body,
  caller,
}: {
  world: World;
  requests: LoggedRequest[];
  request: Request;
  response: Response;
  path: string;
  api: LoggedRequest['api'];
  route: string;
  body: unknown;
  caller: Caller;
}): LoggedRequest {
  const entry: LoggedRequest = {
    method: request.method,
    path,
    query: queryOf(request),
    api,
    route: `${request.method} ${route}`,
    body,
    tokenInfo: describeCaller(caller),
    status: null,
    done: false,
    at: world.clock(),
  };
  requests.push(entry);
  response.on('finish', () => {
    entry.status = response.statusCode;
    world.log(`${request.method} ${path}: ${response.statusCode}`);
  });
  return entry;
}

export const queryOf = (request: Request): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(request.url.split('?')[1]));

function describeCaller(caller: Caller): LoggedRequest['tokenInfo'] {
  if (caller.kind !== 'installation') return { kind: caller.kind };
  const { installationId, repositoryIds, permissions } = caller.token;
  return {
    kind: 'installation',
    installationId,
    repositoryIds: repositoryIds ? [...repositoryIds] : null,
    permissions,
  };
}
