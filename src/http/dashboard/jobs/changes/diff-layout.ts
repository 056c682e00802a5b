import type { Request, Response } from 'express';
import { createCookie } from '../../people/cookies.ts';

/** `split`: before and after beside each other, where a screen is wide enough. */
export type DiffLayout = 'unified' | 'split';

const yearMs = 365 * 24 * 3600_000;

/** How this browser shows changes: as the address asks, which is remembered, or as it did last. */
export function createDiffLayout({ origin }: { origin: () => string }) {
  const cookie = createCookie({ name: 'pagewright_diff', origin });
  return function read({ request, response }: { request: Request; response: Response }): DiffLayout {
    const { diff } = request.query;
    if (diff !== 'unified' && diff !== 'split') return cookie.read(request) === 'split' ? 'split' : 'unified';
    // A stream has sent its headers.
    if (!response.headersSent) cookie.write(response, diff, { maxAgeMs: yearMs });
    return diff;
  };
}
