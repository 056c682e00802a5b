import type { AppRegistration } from '../apps/create-app-registration.ts';
import type { Webhooks } from '../events/webhooks.ts';
import { graphqlRoute } from '../graphql/graphql-route.ts';
import { appRoutes } from './app-routes.ts';
import { checkRoutes } from './check-routes.ts';
import { commentRoutes } from './comment-routes.ts';
import { commitRoutes } from './commit-routes.ts';
import { contentsRoute } from './contents-route.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { labelRoutes } from './label-routes.ts';
import { manifestRoutes } from './manifest-routes.ts';
import { pullRequestRoutes } from './pull-request-routes.ts';
import { reactionRoutes } from './reaction-routes.ts';
import { refRoutes } from './ref-routes.ts';
import { releaseRoutes } from './release-routes.ts';
import { repositoryRoutes } from './repository-routes.ts';
import { reviewRoutes } from './review-routes.ts';
import type { Route } from './route.ts';
import { ruleRoutes } from './rule-routes.ts';
import { userRoutes } from './user-routes.ts';

/** The whole API; no two paths match the same request. */
export const allRoutes = ({
  webhooks,
  registration,
}: {
  webhooks: Webhooks;
  registration: AppRegistration;
}): Route[] => [
  ...appRoutes,
  ...manifestRoutes(registration),
  ...deliveryRoutes(webhooks),
  graphqlRoute,
  ...userRoutes,
  ...repositoryRoutes,
  ...refRoutes,
  ...checkRoutes,
  ...commitRoutes,
  ...ruleRoutes,
  contentsRoute,
  ...reactionRoutes,
  ...commentRoutes,
  ...reviewRoutes,
  ...pullRequestRoutes,
  ...releaseRoutes,
  ...labelRoutes,
];
