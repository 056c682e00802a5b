import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import { html } from '../pages/html.ts';
import { sendPage } from '../pages/page.ts';
import { protect } from '../pages/protect.ts';
import { formatInstallUrl } from './github-urls.ts';
import { nextSteps } from './next-steps.ts';

const askWithinMs = 10_000;

/**
 * `/setup` of a service that has its App: the link to install it and what to do next, which is public. `/setup/installed` is where
 * GitHub sends people after an installation. Answers what is below `/setup` and returns true; returns false for everything else.
 */
export function createInstalledPages({
  fetchApp,
  webUrl,
}: {
  fetchApp: (signal: AbortSignal) => Promise<{ slug: string; name: string }>;
  webUrl: string;
}): (request: IncomingMessage, response: ServerResponse) => boolean {
  // Anyone may ask, so that those who ask while GitHub is slow share one request to it.
  let asking: ReturnType<typeof fetchApp> | undefined;
  const findApp = async () => {
    asking ??= fetchApp(AbortSignal.timeout(askWithinMs)).finally(() => {
      asking = undefined;
    });
    return asking.catch(() => undefined);
  };

  const app = express().disable('x-powered-by').disable('etag');
  app.use(...protect());
  app.get(['/setup', '/setup/installed'], async (request, response) => {
    const found = await findApp();
    if (!found) {
      const body = html`<p>GitHub could not be asked for the App just now. Reload this page in a moment.</p>`;
      return sendPage(response, { status: 503, title: 'GitHub did not answer', body });
    }
    const isInstalled = request.path === '/setup/installed';
    const title = isInstalled ? `${found.name} is installed` : `${found.name} is set up`;
    const body = nextSteps({ installUrl: formatInstallUrl({ webUrl, slug: found.slug }) });
    sendPage(response, { status: 200, title, body });
  });
  // A browser may still have pages of the set-up open, which is over.
  app.get(['/setup/review', '/setup/callback'], (_request, response) => response.redirect(303, '/setup'));
  app.use((_request, response) => {
    const body = html`<p>There is nothing here. <a href="/setup">What to do next</a></p>`;
    sendPage(response, { status: 404, title: 'Not found', body });
  });

  return (request, response) => {
    if (!/^\/setup(?:[/?]|$)/.test(request.url ?? '')) return false;
    app(request, response);
    return true;
  };
}
