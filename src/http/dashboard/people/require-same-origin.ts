import type { RequestHandler } from 'express';
import { PageRefusal } from '../frame/page-refusal.ts';

const reads = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses forms of other sites, to which the browser adds the cookie, too. Browsers send the origin of a form; a request without it is
 * refused. https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
export const requireSameOrigin =
  (origin: () => string): RequestHandler =>
  ({ method, headers }, _response, next) => {
    if (reads.includes(method)) return next();
    const site = headers['sec-fetch-site'];
    const isSameSite = site === 'same-origin';
    const isFromHere =
      headers.origin === undefined ? isSameSite : headers.origin === origin() && (isSameSite || site === undefined);
    if (isFromHere) return next();
    throw new PageRefusal(
      403,
      'Sent from another page',
      `Pagewright accepts forms of its own pages only. Open ${origin()}/projects and try again there.`,
    );
  };
