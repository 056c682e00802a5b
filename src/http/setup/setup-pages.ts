import type { RegisteredApp } from '../../config/app-file.ts';
import { type Html, html } from '../pages/html.ts';
import type { Page } from '../pages/page.ts';
import { formatInstallUrl } from './github-urls.ts';
import type { Manifest } from './manifest.ts';
import { nextSteps } from './next-steps.ts';
import type { parseRegistration } from './parse-registration.ts';

/** `hookUrl` where GitHub cannot reach it; else null. */
const warnOfReach = (hookUrl: string | null): Html =>
  hookUrl === null
    ? html``
    : html`
<div class="notice" role="note">
<p><strong>GitHub cannot reach this service.</strong> It would send what happens in your repositories to
<code>${hookUrl}</code>, which leads nowhere from the internet; it may even refuse to register the App with it.</p>
<p>Give the service an https address that is reachable from outside (a reverse proxy or a tunnel to this port), set
<code>PUBLIC_URL</code> to it and start again. You can also go on now and write the right address into the App’s
settings later; until then comments, reviews and merges go unnoticed.</p>
</div>`;

/** Where it begins: who is to own the App, and its name. */
export function ownerPage(given: {
  form: ReturnType<typeof parseRegistration>;
  githubUrl: string;
  unreachableHookUrl: string | null;
}): Page {
  const { registration, problems } = given.form;
  const check = (owner: string) => (registration.owner === owner ? html` checked` : null);
  const say = (field: string, problem: string | undefined) =>
    problem === undefined ? null : html`<small class="wrong" id="${field}-problem" role="alert">${problem}</small>`;
  const mark = (field: string, problem: string | undefined) =>
    problem === undefined ? null : html` aria-invalid="true" aria-describedby="${field}-problem"`;
  const body = html`
<p>Pagewright acts on ${new URL(given.githubUrl).host} as a GitHub App of your own. It has none yet: here you register one.</p>
${warnOfReach(given.unreachableHookUrl)}
<form action="/setup/review" method="get">
<fieldset>
<legend>Who owns the App</legend>
<p>It can be installed only on the account that owns it, so choose the one with your documentation.</p>
<div class="choice"><input type="radio" id="account" name="owner" value="account"${check('account')}>
<label for="account">My own account</label></div>
<div class="choice"><input type="radio" id="of-organization" name="owner" value="organization"${check('organization')}>
<label for="of-organization">An organisation</label></div>
<label for="organization">The organisation’s name, if it is one</label>
<input type="text" id="organization" name="organization" value="${registration.organization}" autocomplete="off" spellcheck="false"${mark('organization', problems.organization)}>
${say('organization', problems.organization)}
</fieldset>
<label for="name">The App’s name, which has to be unique on all of GitHub</label>
<input type="text" id="name" name="name" value="${registration.name}" required autocomplete="off" spellcheck="false"${mark('name', problems.name)}>
${say('name', problems.name)}
<p><button>Go on</button></p>
</form>
<h2>What will happen</h2>
<ol>
<li>You see what the App is going to be registered with.</li>
<li>GitHub asks you to confirm, and sends you back here.</li>
<li>Pagewright stores the App’s credentials in its data directory and starts.</li>
</ol>`;
  return { status: Object.keys(problems).length > 0 ? 400 : 200, title: 'Set up Pagewright', body };
}

/** What the App is going to be registered with, and the form that goes to GitHub. */
export function reviewPage(given: {
  manifest: Manifest;
  registrationUrl: string;
  organization: string | null;
  unreachableHookUrl: string | null;
}): Page {
  const { manifest, registrationUrl, organization } = given;
  const permissions = Object.entries(manifest.default_permissions).map(([name, level]) => `${name}: ${level}`);
  const body = html`
<dl>
<dt>Name</dt><dd>${manifest.name}</dd>
<dt>Owner</dt><dd>${organization === null ? 'your own account' : html`the organisation <code>${organization}</code>`}</dd>
<dt>Permissions</dt><dd><code>${permissions.join(', ')}</code></dd>
<dt>Events</dt><dd><code>${manifest.default_events.join(', ')}</code></dd>
<dt>Events go to</dt><dd><code>${manifest.hook_attributes.url}</code></dd>
</dl>
${warnOfReach(given.unreachableHookUrl)}
<p>Sign in to ${new URL(registrationUrl).host} in this browser first: on the way through a login the form would be lost.</p>
<form action="${registrationUrl}" method="post">
<input type="hidden" name="manifest" value="${JSON.stringify(manifest)}">
<p><button>Register it on GitHub</button></p>
</form>
<p>This page is good for an hour. <a href="/setup">Back</a></p>`;
  return { status: 200, title: 'Register the App', body };
}

/** The App is registered, its credentials are stored. */
export const registeredPage = ({ name, slug, owner, githubUrl }: RegisteredApp): Page => ({
  status: 200,
  title: `${name} is registered`,
  body: html`
<p>The App${owner === null ? null : html` of <code>${owner}</code>`} is registered, its credentials are stored, and Pagewright is starting: this takes some seconds.</p>
${nextSteps({ installUrl: formatInstallUrl({ webUrl: githubUrl, slug }) })}`,
});
