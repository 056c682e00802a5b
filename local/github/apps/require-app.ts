import { ApiError } from '../api/api-error.ts';
import type { App, World } from '../state/world.ts';

/** The one App of this stand-in; throws 404 while there is none. */
export function requireApp({ app }: Pick<World, 'app'>): App {
  if (!app) throw new ApiError(404, 'Integration not found');
  return app;
}
