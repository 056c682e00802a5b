import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { realTiming } from '../../timing.ts';
import { html } from '../pages/html.ts';
import { protect, sendPage } from '../pages/page.ts';
import { formatInstallUrl } from './github-urls.ts';
import { nextSteps } from './setup-pages.ts';

/**
 * `/setup` of a service that has its App: a public page with the install link and the next steps. GitHub redirects to `/setup/installed`
 * after an installation. Answers all paths below `/setup` and returns true; returns false for other paths.
 */
export function createInstalledPages({
  fetchApp,
  webUrl,
}: {
  fetchApp: (signal: AbortSignal) => Promise<{ slug: string; name: string }>;
  webUrl: string;
}): (request: IncomingMessage, response: ServerResponse) => boolean {
  // The page is public: concurrent visitors share one request to GitHub.
  let asking: ReturnType<typeof fetchApp> | undefined;
  const findApp = async () => {
    asking ??= fetchApp(AbortSignal.timeout(realTiming.http.installedPageMs)).finally(() => {
      asking = undefined;
    });
    return asking.catch(() => undefined);
  };

  const app = express().disable('x-powered-by').disable('etag');
  app.use(...protect());
  app.get(['/setup', '/setup/installed'], async (request, response) => {
    const found = await findApp();
    if (!found) {
      const body = html`<p>Pagewright could not read the App from GitHub. Reload this page in a moment.</p>`;
      return sendPage(response, { status: 503, title: 'GitHub did not answer', body });
    }
    const isInstalled = request.path === '/setup/installed';
    const title = isInstalled ? `${found.name} is installed` : `${found.name} is set up`;
    const body = nextSteps({ installUrl: formatInstallUrl({ webUrl, slug: found.slug }) });
    sendPage(response, { status: 200, title, body });
  });
  // Pages of a finished setup may still be open in a browser.
  app.get(['/setup/review', '/setup/callback'], (_request, response) => response.redirect(303, '/setup'));
  app.use((_request, response) => {
    const body = html`<p>This page does not exist. <a href="/setup">Next steps</a></p>`;
    sendPage(response, { status: 404, title: 'Not found', body });
  });

  return (request, response) => {
    if (!/^\/setup(?:[/?]|$)/.test(request.url ?? '')) return false;
    app(request, response);
    return true;
  };
}
