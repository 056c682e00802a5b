import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { styleSource } from './page.ts';

/**
 * The headers of every page: it loads nothing, runs no script, is neither framed nor cached, and tells other sites no more of its address
 * than the origin. Forms go to ourselves and to `formTargets`, which are origins; a browser holds the redirects of a form to the same list.
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
