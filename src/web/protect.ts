import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { styleSource } from './page.ts';

/**
 * The headers of every page: nothing is loaded from anywhere, no script runs, nobody frames it, keeps it, or learns more of its address than the origin.
 * Forms go to ourselves and to `formTargets`, which are origins; a browser holds the redirects of a form to the same list.
 */
export function protect(formTargets: readonly string[] = []): RequestHandler[] {
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [styleSource],
        formAction: ["'self'", ...formTargets],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'strict-origin' },
    xFrameOptions: { action: 'deny' },
  });
  return [
    headers,
    (_request, response, next) => {
      response.set('Cache-Control', 'no-store');
      next();
    },
  ];
}
