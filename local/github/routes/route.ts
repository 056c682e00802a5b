import type { z } from 'zod';
import { ApiError, notFound } from '../api/api-error.ts';
import type { Caller } from '../auth/caller.ts';
import type { Account } from '../state/account.ts';
import type { Needed, Permissions } from '../state/permissions.ts';
import type { Repository, World } from '../state/world.ts';

export interface Call {
  world: World;
  caller: Caller;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  accept: string;
  /** An injected fault: lists leave out their newest item. */
  stale: boolean;
  /** The full URL without its query, for `Link` headers. */
  url: string;
}

export interface RepositoryCall extends Call {
  repository: Repository;
  /** The bot that acts for an installation token. */
  bot: Account;
}

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

type Handle<Received extends Call> = (call: Received) => Answer | Promise<Answer>;

/** `path` is Express's; `needs` lists alternative permissions of an installation token. */
export type Route = { method: keyof typeof verbs; path: string } & (
  | { as: 'app' | 'installation' | 'user' | 'client' | 'anyone'; needs?: Needed; handle: Handle<Call> }
  /** `path` continues `/repos/{owner}/{repo}` and `/repositories/{id}`. All but GET write. */
  | { as: 'repository'; needs: Needed; handle: Handle<RepositoryCall> }
);

export const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

const createRoute =
  (method: Route['method']) =>
  (path: string, as: Exclude<Route['as'], 'repository'>, handle: Handle<Call>, needs: Needed = []): Route => ({
    method,
    path,
    as,
    needs,
    handle,
  });

const createRepositoryRoute =
  (method: Route['method']) =>
  (path: string, needs: Needed, handle: Handle<RepositoryCall>): Route => ({
    method,
    path,
    as: 'repository',
    needs,
    handle,
  });

export const onApi = { get: createRoute('GET'), post: createRoute('POST'), delete: createRoute('DELETE') };

export const onRepository = {
  get: createRepositoryRoute('GET'),
  post: createRepositoryRoute('POST'),
  put: createRepositoryRoute('PUT'),
  patch: createRepositoryRoute('PATCH'),
  delete: createRepositoryRoute('DELETE'),
};

export const permissionsOf = ({ caller }: Call): Permissions =>
  caller.kind === 'installation' ? caller.token.permissions : {};

export const ok = (body: unknown, status = 200): Answer => ({ status, body });

/** Parses the body with the route's schema; 422 with GitHub's text otherwise. */
export function parseBody<Shape extends z.ZodType>(schema: Shape, body: unknown): z.output<Shape> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ code, path, message }) => {
    const name = path.join('/');
    const isMissing = code === 'invalid_type' && valueAt(body, path) === undefined;
    return isMissing ? `"${name}" wasn't supplied.` : `For 'properties/${name}', ${message}.`;
  });
  throw new ApiError(422, `Invalid request.\n\n${problems.join('\n')}`);
}

function valueAt(body: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    body,
  );
}

export function numberParam(call: Call, name: string): number {
  const value = Number(call.params[name]);
  if (!Number.isSafeInteger(value)) throw notFound();
  return value;
}
