import type { Manifest } from '../apps/parse-manifest.ts';
import { findInstallationOn } from '../state/installations.ts';
import { fullNameOf } from '../state/repositories.ts';
import type { App, World } from '../state/world.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

/** For a visitor without a manifest. */
export const renderManifestField = (action: string): string =>
  layout({
    title: 'Register a GitHub App',
    body: html`<h1>Register a GitHub App</h1>
<form method="post" action="${action}">
<textarea name="manifest" aria-label="Manifest" placeholder="The manifest, as JSON" required></textarea>
<p><button>Continue</button></p>
</form>`,
  });

/** Shows the App, and the button that creates it. */
export function renderNewApp(
  world: World,
  { manifest, text, state, action }: { manifest: Manifest; text: string; state: string | undefined; action: string },
): string {
  const people = world.accounts
    .values()
    .filter(({ type }) => type === 'User')
    .toArray();
  const isPersonal = action === '/settings/apps';
  const row = (name: string, value: string) =>
    html`<div class="row"><span class="muted">${name}</span> <code>${value}</code></div>`;
  return layout({
    title: `Create GitHub App ${manifest.name}`,
    body: html`<h1>Create GitHub App</h1>
<form method="post" action="${action}">
<p>Name <input name="name" aria-label="Name" maxlength="34" value="${manifest.name}"></p>
${isPersonal && html`<p>As <select name="as" aria-label="As">${people.map(({ login }) => html`<option>${login}</option>`)}</select></p>`}
<input type="hidden" name="manifest" value="${text}">
${state !== undefined && html`<input type="hidden" name="state" value="${state}">`}
<div class="box">
${row('Webhook', manifest.hook_attributes?.url ?? 'none')}
${row('Homepage', manifest.url)}
${Object.entries(manifest.default_permissions).map(([name, level]) => row(name, level))}
${row('Events', manifest.default_events.join(', ') || 'none')}
</div>
<p><button class="primary">Create GitHub App</button></p>
</form>`,
  });
}

/** Asks a person whether the App may know who they are. */
export function renderAuthorizeForm(
  app: App,
  { people, fields }: { people: string[]; fields: Record<string, string | undefined> },
): string {
  const preferred = people.includes('rita') ? 'rita' : people[0];
  const option = (login: string) => html`<option${login === preferred && html` selected`}>${login}</option>`;
  const hidden = Object.entries(fields).map(
    ([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return layout({
    title: `Sign in to ${app.name}`,
    body: html`<h1>${app.name} wants to know who you are</h1>
<form method="post" action="/login/oauth/authorize">
<p>Sign in as <select name="as" aria-label="As">${people.map(option)}</select></p>
${hidden}
<div class="box"><div class="row">Verify your GitHub identity</div><div class="row">Know which resources you can access</div></div>
<p><button class="primary" name="answer" value="authorize">Authorize</button> <button name="answer" value="deny">Cancel</button></p>
</form>`,
  });
}

/** Chooses the account and its repositories; none chosen means all. */
export function renderInstallForm(world: World, app: App, problem?: string): string {
  const repositories = world.repositories.values().toArray();
  const accounts = world.accounts
    .values()
    .filter(({ id, type }) => type !== 'Bot' && (app.isPublic || id === app.owner.id))
    .filter((account) => !findInstallationOn(world, account))
    .toArray();
  return layout({
    title: `Install ${app.name}`,
    body: html`<h1>Install ${app.name}</h1>
${problem && html`<p class="notice">${problem}</p>`}
<form method="post">
<p>On <select name="account" aria-label="Account">${accounts.map(({ login }) => html`<option>${login}</option>`)}</select></p>
<p>Only these repositories (choose none for all)<br>
<select name="repositories" aria-label="Repositories" multiple>${repositories.map((repository) => html`<option>${fullNameOf(repository)}</option>`)}</select></p>
<div class="box">${Object.entries(app.permissions).map(([name, level]) => html`<div class="row">${name}: ${level}</div>`)}</div>
<p><button class="primary">Install</button></p>
</form>`,
  });
}
