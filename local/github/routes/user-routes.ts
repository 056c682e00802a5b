import { notFound } from '../api/api-error.ts';
import type { RateLimits } from '../api/rate-limits.ts';
import { presentAccount } from '../json/present.ts';
import { findAccount } from '../state/accounts.ts';
import { ok, type Route } from './route.ts';

export const userRoutes: Route[] = [
  {
    method: 'GET',
    path: '/users/:login',
    as: 'anyone',
    handle({ world, params }) {
      const account = findAccount(world, params.login ?? '');
      if (!account) throw notFound();
      return ok({ ...presentAccount(world, account), name: account.login, created_at: '2026-01-01T00:00:00Z' });
    },
  },
];

/** On github.com this route does not count against the primary limit. */
export const rateLimitRoute = (limits: RateLimits): Route => ({
  method: 'GET',
  path: '/rate_limit',
  as: 'anyone',
  handle({ caller }) {
    const core = limits.describe(caller);
    return ok({ resources: { core }, rate: core });
  },
});
