import { Router } from 'express';
import type { DashboardParts } from '../dashboard-parts.ts';
import { PageRefusal } from '../frame/page-refusal.ts';
import { readForm } from '../frame/read-form.ts';
import { themes } from '../frame/render-page.ts';
import { createCookie } from './cookies.ts';

const yearMs = 365 * 24 * 3600_000;

/** The theme of this browser, in `response.locals` for every page, and the form that changes it. */
export function createThemeRoutes({ readBody, origin }: DashboardParts): Router {
  const cookie = createCookie({ name: 'pagewright_theme', origin });
  const router = Router();
  router.use((request, response, next) => {
    const chosen = cookie.read(request);
    response.locals.theme = themes.find((name) => name === chosen) ?? 'system';
    next();
  });
  router.post('/theme', async (request, response) => {
    const asked = (await readForm({ request, response }, readBody)).get('theme');
    const theme = themes.find((name) => name === asked);
    if (!theme) throw new PageRefusal(400, 'Invalid request', `theme must be one of: ${themes.join(', ')}.`);
    if (theme === 'system') cookie.clear(response);
    else cookie.write(response, theme, { maxAgeMs: yearMs });
    response.redirect(303, findWayBack(request.get('referer'), origin()));
  });
  return router;
}

/** Only a page of this service. */
function findWayBack(referrer: string | undefined, origin: string): string {
  const url = referrer === undefined ? null : URL.parse(referrer);
  return url?.origin === origin ? `${url.pathname}${url.search}` : '/projects';
}
