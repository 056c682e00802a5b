import type { RegisteredApp } from '../../config/app-file.ts';
import { permissionReasons } from '../../config/app-manifest.ts';
import { type Html, html } from '../pages/html.ts';
import { nameAccess, namePermission } from '../pages/name-permission.ts';
import type { HtmlPage } from '../pages/page.ts';
import { formatInstallUrl, type Manifest, type RegistrationForm } from './registration.ts';

/** `hookUrl` is null if GitHub can reach it. */
const warnUnreachable = (hookUrl: string | null): Html =>
  hookUrl === null
    ? html``
    : html`
<div class="notice" role="note">
<p><strong>GitHub cannot reach this service.</strong> It would send webhooks to
<code>${hookUrl}</code>, which is not reachable from the internet. GitHub may even refuse to register the App with this URL.</p>
<p>Give the service a public https address (with a reverse proxy or a tunnel to this port), set <code>PUBLIC_URL</code> to it,
and restart the service. Or continue now, and correct the webhook URL in the App’s settings later. Until then, Pagewright does
not notice comments, reviews and merges.</p>
</div>`;

/** The link of the log leads here. Opening it changes nothing. */
export const enterPage = (token: string): HtmlPage => ({
  status: 200,
  title: 'Set up Pagewright',
  body: html`
<p>The link is valid. It works once: the set-up continues in this browser alone.</p>
<form action="/setup" method="post">
<input type="hidden" name="token" value="${token}">
<p><button>Set up Pagewright</button></p>
</form>`,
});

const steps = ['Owner and name', 'Register on GitHub'];

/** `current` begins at 1. */
const renderWay = (current: number): Html =>
  html`<ol class="way" aria-label="Steps">${steps.map((name, index) => html`<li${index + 1 === current && html` aria-current="step"`}>${name}</li>`)}</ol>`;

/** The first step: who owns the App, and its name. */
export function ownerPage(options: {
  form: RegistrationForm;
  githubUrl: string;
  unreachableHookUrl: string | null;
  /** The findings of the doctor. */
  findings?: Html;
}): HtmlPage {
  const { form, githubUrl, unreachableHookUrl, findings } = options;
  const { registration, problems } = form;
  const check = (owner: string) => (registration.owner === owner ? html` checked` : null);
  const showProblem = (field: string, problem: string | undefined) =>
    problem === undefined ? null : html`<small class="wrong" id="${field}-problem" role="alert">${problem}</small>`;
  const markInvalid = (field: string, problem: string | undefined) =>
    problem === undefined ? null : html` aria-invalid="true" aria-describedby="${field}-problem"`;
  const body = html`
${renderWay(1)}
<p>Pagewright acts on ${new URL(githubUrl).host} as your own GitHub App. The next page shows each permission and why it is needed, before anything happens.</p>
${warnUnreachable(unreachableHookUrl)}
<form action="/setup/review" method="get">
<fieldset>
<legend>App owner</legend>
<p>Only the account that owns the App can install it. Choose the account that has your documentation.</p>
<div class="choice"><input type="radio" id="account" name="owner" value="account"${check('account')}>
<label for="account">My personal account</label></div>
<div class="choice"><input type="radio" id="of-organization" name="owner" value="organization"${check('organization')}>
<label for="of-organization">An organization</label></div>
<label for="organization">Organization name</label>
<input type="text" id="organization" name="organization" value="${registration.organization}" autocomplete="off" spellcheck="false"${markInvalid('organization', problems.organization)}>
${showProblem('organization', problems.organization) ?? html`<small>As in its URL on GitHub. Leave it empty for your personal account.</small>`}
</fieldset>
<label for="name">App name (must be unique on GitHub)</label>
<input type="text" id="name" name="name" value="${registration.name}" required autocomplete="off" spellcheck="false"${markInvalid('name', problems.name)}>
${showProblem('name', problems.name)}
<p><button>Continue</button></p>
</form>
${findings}`;
  return { status: Object.keys(problems).length > 0 ? 400 : 200, title: 'Set up Pagewright', body };
}

/** The second step: the manifest, and the form that posts it to GitHub. */
export function reviewPage(options: {
  manifest: Manifest;
  registrationUrl: string;
  organization: string | null;
  unreachableHookUrl: string | null;
}): HtmlPage {
  const { manifest, registrationUrl, organization, unreachableHookUrl } = options;
  const body = html`
${renderWay(2)}
<dl class="panel">
<dt>Name</dt><dd>${manifest.name}</dd>
<dt>Owner</dt><dd>${organization === null ? 'your personal account' : html`the organization <code>${organization}</code>`}</dd>
<dt>Events</dt><dd><code>${manifest.default_events.join(', ')}</code></dd>
<dt>Webhook URL</dt><dd><code>${manifest.hook_attributes.url}</code></dd>
</dl>
<h2>What GitHub will ask, and why</h2>
<table><thead><tr><th scope="col">Permission</th><th scope="col">Access</th><th scope="col">Why</th></tr></thead>
<tbody>${Object.entries(manifest.default_permissions).map(([name, level]) => html`<tr><th scope="row">${namePermission(name)}</th><td>${nameAccess(level)}</td><td>${permissionReasons[name] ?? ''}</td></tr>`)}</tbody></table>
${warnUnreachable(unreachableHookUrl)}
<p>Sign in to ${new URL(registrationUrl).host} in this browser first. If GitHub asks you to sign in after you press the button, it loses the form.
GitHub asks for a confirmation and sends you back here. Pagewright stores the App’s credentials in its data directory and starts.</p>
<form action="${registrationUrl}" method="post">
<input type="hidden" name="manifest" value="${JSON.stringify(manifest)}">
<p><button>Register on GitHub</button></p>
</form>
<p class="soft">This page expires in an hour. <a href="/setup">Back</a></p>`;
  return { status: 200, title: 'Register the App', body };
}

export const registeredPage = ({ name, slug, owner, githubUrl }: RegisteredApp): HtmlPage => ({
  status: 200,
  title: `${name} is registered`,
  body: html`
<p>The App${owner === null ? null : html` of <code>${owner}</code>`} is registered and its credentials are stored. Pagewright starts in a few seconds.</p>
${nextSteps({ installUrl: formatInstallUrl({ webUrl: githubUrl, slug }), isInstalled: false })}`,
});

/** Public: shows nothing but the App's URL. */
export const nextSteps = ({ installUrl, isInstalled }: { installUrl: string; isInstalled: boolean }): Html => html`
<h2>Next steps</h2>
<ol class="steps">
<li><p>${isInstalled ? 'The App is installed. Other repositories can follow at any time.' : 'Install the App on the repository that has your documentation.'}</p>
<p><a class="button${isInstalled && ' quiet'}" href="${installUrl}">${isInstalled ? 'Install on more repositories' : 'Install on GitHub'}</a></p></li>
<li><p>Open the dashboard, sign in with GitHub, and choose the repository.</p>
<p><a class="button${!isInstalled && ' quiet'}" href="/projects">Open the dashboard</a></p></li>
<li><p>Say what readers should find. Pagewright opens a pull request.</p></li>
</ol>
<details><summary>From a terminal instead</summary>
<p>Create an API key on the machine that runs Pagewright. The command also prints the project id.</p>
<pre>npx pagewright keys create OWNER/REPO --name ci</pre>
<p>Send an instruction.</p>
<pre>export PAGEWRIGHT_URL=… PAGEWRIGHT_PROJECT=prj_… PAGEWRIGHT_KEY=pagewright_…
curl -H "Authorization: Bearer $PAGEWRIGHT_KEY" -H "Content-Type: application/json" \\
  -d '{"prompt":"Fix the typos in the README"}' \\
  $PAGEWRIGHT_URL/v2/agent/$PAGEWRIGHT_PROJECT/job</pre></details>`;

/** While the service starts after the registration: a browser asks again by itself. */
export const startingPage: HtmlPage = {
  status: 503,
  headers: { Refresh: '1', 'Retry-After': '1' },
  title: 'Pagewright is starting',
  body: html`<p role="status">The App is registered. The first start takes a few seconds. This page reloads by itself.</p>`,
};

const startOver = html`<p><a class="button" href="/setup">Start over</a></p>`;

export const forbiddenPage: HtmlPage = {
  status: 403,
  title: 'Token required',
  body: html`
<p>Pagewright is not set up yet. Only its operator can do that.</p>
<p>Find the URL that ends in <code>/setup?token=…</code> in the log of the service, and open it. It works once. To get a new one,
restart the service.</p>`,
};

/** The `state` is unknown, used or expired. */
export const unknownAnswerPage = (baseUrl: string): HtmlPage => ({
  status: 400,
  title: 'Unknown registration',
  body: html`
<p>GitHub’s answer matches no registration that began in this browser within the last hour. Nothing was stored.</p>
<p>Start over at <code>${baseUrl}/setup</code>, and use one browser for all steps. If GitHub has already registered an App, delete it
in its settings on GitHub.</p>
${startOver}`,
});

/** GitHub returns an App's credentials once, within an hour. */
export const expiredPage: HtmlPage = {
  status: 410,
  title: 'Registration expired',
  body: html`
<p>GitHub returns a new App’s credentials only once, within an hour. They are no longer available. Nothing was stored.</p>
<p>Delete the new App in its settings on GitHub, so that you can use its name again, and start over.</p>
${startOver}`,
};

export const unusablePage: HtmlPage = {
  status: 502,
  title: 'Incomplete credentials',
  body: html`
<p>GitHub registered the App but did not return a webhook secret or a private key for it. Nothing was stored.</p>
<p>Delete the new App in its settings on GitHub, so that you can use its name again, and start over.</p>
${startOver}`,
};

export const unansweredPage: HtmlPage = {
  status: 502,
  title: 'GitHub did not answer',
  body: html`
<p>GitHub registered the App, but Pagewright could not fetch its credentials. See the log of the service.</p>
<p>Nothing is lost: reload this page within an hour to try again. If the registration has expired, start over.</p>
${startOver}`,
};

export const notStoredPage: HtmlPage = {
  status: 500,
  title: 'Credentials not stored',
  body: html`
<p>GitHub registered the App, but Pagewright could not write its credentials to the data directory. See the log of the service.</p>
<p>Nothing is lost while the service runs: fix the cause, then reload this page.</p>`,
};

export const unexpectedPage: HtmlPage = {
  status: 500,
  title: 'Internal error',
  body: html`<p>Pagewright could not show this page. See the log of the service.</p>`,
};
