import { ApiError, notFound } from '../api/api-error.ts';
import { requireApp } from '../apps/require-app.ts';
import { refuseMissingPermission, resolveRepository } from './resolve-repository.ts';
import type { Answer, Call, Route } from './route.ts';

/** Checks the caller's access, then runs the route. Throws `ApiError` for every refusal of GitHub. */
export async function carryOut(route: Route, call: Call): Promise<Answer> {
  const { caller, world } = call;
  switch (route.as) {
    case 'anyone':
      return route.handle(call);
    case 'app':
      // github.com's answer to any other credentials.
      if (caller.kind !== 'app') throw new ApiError(401, 'A JSON web token could not be decoded');
      return route.handle(call);
    case 'user':
      if (caller.kind !== 'user') throw new ApiError(401, 'Requires authentication');
      return route.handle(call);
    case 'client':
      if (caller.kind !== 'client') throw notFound();
      return route.handle(call);
    case 'installation':
      if (caller.kind === 'nobody') throw new ApiError(401, 'Requires authentication');
      if (caller.kind !== 'installation') throw new ApiError(403, 'Resource not accessible by integration');
      refuseMissingPermission(call, route.needs ?? []);
      return route.handle(call);
    case 'repository': {
      const resolved = resolveRepository(call, { needs: route.needs, writes: route.method !== 'GET' });
      if ('repository' in resolved) {
        return route.handle({ ...call, repository: resolved.repository, bot: requireApp(world).bot });
      }
      const { owner, repo } = call.params;
      const rest = call.url.slice(`${world.apiUrl}/repos/${owner}/${repo}`.length);
      const query = new URLSearchParams(call.query).toString();
      const location = `${world.apiUrl}/repositories/${resolved.movedTo.id}${rest}${query ? `?${query}` : ''}`;
      // https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects
      const isGet = route.method === 'GET';
      return {
        status: isGet ? 301 : 307,
        headers: { location },
        body: { message: isGet ? 'Moved Permanently' : 'Temporary Redirect', url: location },
      };
    }
    default:
      throw notFound();
  }
}
