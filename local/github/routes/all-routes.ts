import type { RateLimits } from '../rate-limits.ts';
import type { Webhooks } from '../webhooks.ts';
import { appRoutes } from './app-routes.ts';
import { commentRoutes } from './comment-routes.ts';
import { contentsRoute } from './contents-route.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { pullRequestRoutes } from './pull-request-routes.ts';
import { reactionRoutes } from './reaction-routes.ts';
import { repositoryRoutes } from './repository-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import type { Route } from './route.ts';
import { rateLimitRoute, userRoutes } from './user-routes.ts';

/** The whole API; no two paths match the same request. */
export const allRoutes = ({ webhooks, limits }: { webhooks: Webhooks; limits: RateLimits }): Route[] => [
  ...appRoutes,
  ...deliveryRoutes(webhooks),
  ...userRoutes,
  rateLimitRoute(limits),
  ...repositoryRoutes,
  contentsRoute,
  ...reactionRoutes,
  ...commentRoutes,
  ...reviewRoutes,
  ...pullRequestRoutes,
  ...labelRoutes,
];
