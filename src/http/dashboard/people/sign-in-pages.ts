import { callbackPath } from '../../../config/urls.ts';
import { type Html, html } from '../../pages/html.ts';
import { icon, renderTyped } from '../frame/elements.ts';
import type { DashboardPage } from '../frame/render-page.ts';

const signInLink = (target: string): Html =>
  html`<p><a class="button" href="/auth/sign-in?${new URLSearchParams({ target }).toString()}">Sign in with GitHub</a></p>`;

/** Instead of a page that is only for people who are signed in. `typed`: the fields of a form that was sent after the end of the session. */
export const signInPage = ({ target, typed }: { target: string; typed: string }): DashboardPage => ({
  status: 401,
  title: 'Sign in',
  heading: 'Sign in to continue',
  body: html`<p class="lead">${typed === '' ? 'This page is for people with write access to the repository on GitHub.' : 'Your session ended before this was sent.'}</p>${renderTyped(typed, target)}${signInLink(target)}`,
});

export const welcomePage = (): DashboardPage => ({
  title: 'Welcome',
  heading: 'Documentation that keeps up.',
  body: html`<p class="lead">Send an instruction in plain words. An agent edits your documentation repository and opens a pull
request. You review it as any other.</p>${signInLink('/projects')}
<ol class="way" aria-label="How it works">
<li>${icon('message')}<strong>Ask</strong><span>“The limit is 100 requests a minute now.”</span></li>
<li>${icon('pencil')}<strong>Watch</strong><span>The agent finds the pages, edits them, and checks the links.</span></li>
<li>${icon('merge')}<strong>Merge</strong><span>You read the change on GitHub. A comment is the next instruction.</span></li>
</ol>
<p class="muted">Pagewright asks GitHub who you are, and stores no token.</p>`,
});

export const notConfiguredPage = (origin: string): DashboardPage => ({
  status: 503,
  title: 'Sign-in is not set up',
  heading: 'Sign-in is not set up yet',
  body: html`<p class="lead">The operator of this service must set the App’s client id and a client secret.</p>
<ol class="steps">
<li>Open the App’s settings on GitHub. Under <em>Callback URL</em>, enter <code>${origin}${callbackPath}</code>.</li>
<li>Generate a client secret there.</li>
<li>Set <code>GITHUB_CLIENT_ID</code> and <code>GITHUB_CLIENT_SECRET</code>, and restart the service.</li>
</ol>`,
});

/** GitHub would send people back to another host than the one that has the cookie. */
export const wrongHostPage = (origin: string, host: string): DashboardPage => ({
  status: 421,
  title: 'Sign-in is not set up',
  heading: 'The host does not match',
  body: html`<p class="lead" role="alert">Pagewright is set up for <code>${origin}</code>, but the proxy in front of it names the host <code>${host}</code>.
Nobody can sign in until the operator corrects one of them.</p>
<ol class="steps">
<li>Let the proxy pass on the header <code>Host</code> as the browser sends it, with its port. In nginx:
<code>proxy_set_header Host $http_host;</code></li>
<li>Or set <code>PUBLIC_URL</code> to the address that people open, with its port, and restart the service.</li>
</ol>`,
});

/** A sign-in that did not succeed, and the way to try again. */
export const failedPage = ({
  status,
  sentence,
  target = '/projects',
  headers = {},
}: {
  status: number;
  sentence: string;
  target?: string;
  headers?: Record<string, string>;
}): DashboardPage => ({
  status,
  headers,
  title: 'Not signed in',
  heading: 'You are not signed in',
  body: html`<p class="lead" role="alert">${sentence}</p>${signInLink(target)}`,
});
