import type { IncomingMessage, ServerResponse } from 'node:http';
import express from 'express';
import type { DescribedInstallations, InstallationState, Missing } from '../../github/auth/describe-installations.ts';
import { AppKeyRefused } from '../../github/refusals/errors.ts';
import type { Examined } from '../../health/examine.ts';
import { realTiming } from '../../timing.ts';
import { type Html, html } from '../pages/html.ts';
import { nameMissing } from '../pages/name-permission.ts';
import { protect, sendHtmlPage } from '../pages/page.ts';
import { shareAnswer, writeFindings } from './findings-section.ts';
import { formatInstallUrl } from './registration.ts';
import { nextSteps } from './setup-pages.ts';

const notRead = () => html`<p>GitHub did not list the installations. Reload this page in a moment.</p>`;

const describe = (error: unknown) => (error instanceof AppKeyRefused ? error.message : undefined);

/**
 * `/setup` of a service that has its App: a public page with the install link and the next steps, and for requests of this machine the missing
 * permissions of installations and the findings of the doctor. GitHub redirects to `/setup/installed` after an installation. Answers all paths below `/setup` and returns true; returns false for other paths.
 */
export function createInstalledPages(options: {
  fetchApp: (signal: AbortSignal) => Promise<{ slug: string; name: string }>;
  describeInstallations: (signal: AbortSignal) => Promise<DescribedInstallations>;
  /** The findings of the doctor. Never throws. */
  examine: (signal: AbortSignal) => Promise<Examined[]>;
  isLocal: (request: IncomingMessage) => boolean;
  webUrl: string;
}): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { fetchApp, describeInstallations, examine, isLocal, webUrl } = options;
  // The page is public: concurrent visitors share one request to GitHub.
  const fetchAppOnce = shareAnswer(() => fetchApp(AbortSignal.timeout(realTiming.http.installedPageMs)));
  const findApp = () =>
    fetchAppOnce().then(
      (app) => ({ app, refusal: undefined }),
      (error: unknown) => ({ app: undefined, refusal: describe(error) }),
    );
  const examineOnce = shareAnswer(() => examine(AbortSignal.timeout(realTiming.http.installedPageMs)), {
    keepMs: realTiming.http.examinedMs,
  });

  async function writeDetails(): Promise<Html> {
    const [installations, examined] = await Promise.all([
      describeInstallations(AbortSignal.timeout(realTiming.http.installedPageMs)).then(writeInstallations, notRead),
      examineOnce(),
    ]);
    return html`${installations}${writeFindings(examined)}`;
  }

  const app = express().disable('x-powered-by').disable('etag');
  app.use(...protect());
  app.get(['/setup', '/setup/installed'], async (request, response) => {
    const { app: found, refusal } = await findApp();
    if (!found) {
      const title = refusal ? 'GitHub refuses the App' : 'GitHub did not answer';
      const what = refusal
        ? `Pagewright ${refusal}. Check APP_ID, PRIVATE_KEY and the clock of the machine.`
        : 'Pagewright could not read the App from GitHub. Reload this page in a moment.';
      return sendHtmlPage(response, { status: 503, title, body: html`<p>${what}</p>` });
    }
    const isInstalled = request.path === '/setup/installed';
    const title = isInstalled ? `${found.name} is installed` : `${found.name} is set up`;
    // Others do not learn which accounts use the service.
    const details = isLocal(request)
      ? await writeDetails()
      : html`<p class="soft">Operators: <a href="/operator">the operator’s page</a> and the command <code>pagewright doctor</code> show what each installation lacks and what the doctor finds.</p>`;
    const steps = nextSteps({ installUrl: formatInstallUrl({ webUrl, slug: found.slug }), isInstalled });
    sendHtmlPage(response, { status: 200, title, body: html`${steps}${details}` });
  });
  // Pages of a finished setup may still be open in a browser.
  app.get(['/setup/review', '/setup/callback'], (_request, response) => response.redirect(303, '/setup'));
  app.use((_request, response) => {
    const body = html`<p>This page does not exist. <a href="/setup">Next steps</a></p>`;
    sendHtmlPage(response, { status: 404, title: 'Not found', body });
  });

  return (request, response) => {
    if (!/^\/setup(?:[/?]|$)/.test(request.url ?? '')) return false;
    app(request, response);
    return true;
  };
}

/** The missing permissions and events of each installation, and where to grant them, for the operator. */
function writeInstallations({ app, installations }: DescribedInstallations): Html {
  const lacking = installations.filter((installation) => installation.isSuspended || lacks(installation.missing));
  const count = installations.length === 1 ? '1 account' : `${installations.length} accounts`;
  return html`
<h2>Installations</h2>
${
  lacks(app.missing)
    ? html`<div class="notice wrong"><p>The App was not given ${nameMissing(app.missing)}.</p>
<p>Grant them in <a href="${app.url}">the App’s settings</a>. Then each account has to accept.</p></div>`
    : ''
}
<p>${
    installations.length === 0
      ? 'The App is installed nowhere yet.'
      : `The App is installed on ${count}. ${lacking.length === 0 ? 'Each has what Pagewright needs.' : `${lacking.length} of them ${lacking.length === 1 ? 'needs' : 'need'} attention.`}`
  }</p>
${lacking.map(writeLacking)}`;
}

const writeLacking = ({ account, url, isSuspended, missing }: InstallationState): Html => html`
<div class="notice"><h3>${account}</h3>
${
  isSuspended
    ? html`<p>Suspended: its jobs wait. Unsuspend it in <a href="${url}">the installation’s settings</a>.</p>`
    : ''
}
${
  lacks(missing)
    ? html`<p>Not given: ${nameMissing(missing)}. An owner accepts the App’s request in <a href="${url}">the installation’s settings</a>.</p>`
    : ''
}
</div>`;

const lacks = ({ permissions, events }: Missing): boolean => permissions.length + events.length > 0;
