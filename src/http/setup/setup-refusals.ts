import { html } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';

const startOver = html`<p><a class="button" href="/setup">Start over</a></p>`;

/** Neither from this machine, nor with the token. */
export const forbiddenPage: Page = {
  status: 403,
  title: 'This page needs a token',
  body: html`
<p>Pagewright is not set up yet, and only whoever runs it may do that.</p>
<p>When it started, its log showed an address that ends in <code>/setup?token=…</code>: open that one. It works once. If it is used up,
restart the service, and its log shows a new one.</p>`,
};

/** GitHub's answer belongs to no registration that this browser began, or to one that is over. */
export const strangeAnswerPage = (baseUrl: string): Page => ({
  status: 400,
  title: 'This answer was not expected',
  body: html`
<p>It belongs to no registration that was begun in this browser within the last hour, so nothing was stored.
If you were on the way, begin again at <code>${baseUrl}/setup</code> and stay in one browser. An App that GitHub has registered
meanwhile is of no use any more: delete it in its settings on GitHub.</p>
${startOver}`,
});

/** GitHub gives an App's credentials out once, within an hour. */
export const expiredPage: Page = {
  status: 410,
  title: 'GitHub has no credentials to give',
  body: html`
<p>GitHub hands out a new App’s credentials only once and within an hour, and says that this was over. Nothing was stored.</p>
<p>Delete the new App in its settings on GitHub, so that its name is free, and start over.</p>
${startOver}`,
};

/** What GitHub handed out is not enough to work with. */
export const unusablePage: Page = {
  status: 502,
  title: 'The App cannot be used',
  body: html`
<p>GitHub registered the App, and gave no whole set of credentials for it: a webhook secret or a private key is missing. Nothing was stored.</p>
<p>Delete the new App in its settings on GitHub, so that its name is free, and start over.</p>
${startOver}`,
};

export const unansweredPage: Page = {
  status: 502,
  title: 'GitHub did not answer',
  body: html`
<p>GitHub has registered the App, and its credentials could not be fetched now. The log of the service says why.</p>
<p>Nothing is lost: reload this page to try again, within the hour. If it then says that the credentials are gone, start over.</p>
${startOver}`,
};

export const notStoredPage: Page = {
  status: 500,
  title: 'The credentials could not be stored',
  body: html`
<p>GitHub has registered the App, and the service could not write its credentials into its data directory. The log says why.</p>
<p>Nothing is lost as long as the service runs: free the way, then reload this page.</p>`,
};

export const unexpectedPage: Page = {
  status: 500,
  title: 'Something went wrong',
  body: html`<p>This page could not be served. The log of the service says why.</p>`,
};
