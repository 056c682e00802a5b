import type { Router } from 'express';
import { z } from 'zod';
import { createProjectKey, KeyNameTaken, revokeProjectKey } from '../../keys/project-keys.ts';
import { type ApiKey, listApiKeys } from '../../store/tables/access/api-keys.ts';
import type { Project } from '../../store/tables/repositories/projects.ts';
import { type Html, html } from '../pages/html.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { icon, renderCopy, renderField, renderOptions, renderPost, renderTime } from './frame/elements.ts';
import { pageNotFound } from './frame/page-refusal.ts';
import { readForm } from './frame/read-form.ts';
import { type DashboardPage, linkTo } from './frame/render-page.ts';
import { createCookie } from './people/cookies.ts';
import type { PageRoutes, ProjectVisit } from './people/page-routes.ts';

const maxNameLength = 100;
const freshMs = 60_000;

/** A key that was created a moment ago, on its way to the page that shows it. */
const freshShape = z.object({ projectId: z.string(), keyId: z.string(), key: z.string(), name: z.string() });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Creates, shows and revokes the project's API keys. */
export function createKeyRoutes({ readBody, origin, log }: DashboardParts, { forMaintainers }: PageRoutes): Router {
  const { keys } = linkTo(':projectId');
  const fresh = createCookie({ name: 'pagewright_new_key', origin });
  const { router, get, post } = forMaintainers();

  const show = async (visit: ProjectVisit, shown: ShownKeys = {}) => {
    const { project, withStore } = visit;
    const listed = await withStore(({ database }) => listApiKeys(database, project.project_id));
    return keysPage({ project, keys: listed, origin: origin(), ...shown });
  };

  get(keys, async (visit) => {
    const { request, response, project } = visit;
    const text = fresh.read(request);
    if (text === '') return show(visit);
    // Shown once: the next page is without it.
    fresh.clear(response);
    const found = freshShape.safeParse(parseJson(text)).data;
    if (found?.projectId !== project.project_id) return show(visit);
    return show(visit, { created: found });
  });
  post(keys, async (visit) => {
    const { response, project, person, withStore } = visit;
    const form = await readForm(visit, readBody);
    const typed: TypedKey = { name: (form.get('name') ?? '').trim(), expires: form.get('expires') ?? '' };
    const problem = findProblem(typed);
    if (problem !== undefined) return show(visit, { typed, problem });
    const { project_id: projectId } = project;
    const key = { projectId, name: typed.name, expiresAt: findExpiry(typed.expires) };
    const created = await withStore(({ database }) => createProjectKey(database, key)).catch(asTaken);
    if (created === 'taken')
      return show(visit, { typed, problem: 'A key of this project has this name. Revoke it, or choose another name.' });
    log.info({ projectId, keyId: created.keyId, login: person.login }, 'a person created an API key');
    // The person's browser carries the key to the page that shows it once. A reload of that page creates no second key.
    const carried = Buffer.from(JSON.stringify({ ...created, name: typed.name })).toString('base64url');
    fresh.write(response, carried, { maxAgeMs: freshMs });
    return { redirectTo: linkTo(projectId).keys };
  });
  post(`${keys}/:keyId/revoke`, async ({ request, project, person, withStore }) => {
    const { project_id: projectId } = project;
    const keyId = String(request.params.keyId);
    const isKnown = await withStore(({ database }) => revokeProjectKey(database, { projectId, keyId }));
    if (!isKnown) throw pageNotFound();
    log.info({ projectId, keyId, login: person.login }, 'a person revoked an API key');
    return { redirectTo: linkTo(projectId).keys };
  });
  return router;
}

function asTaken(error: unknown): 'taken' {
  if (error instanceof KeyNameTaken) return 'taken';
  throw error;
}

function findProblem({ name, expires }: TypedKey): string | undefined {
  const { length } = [...name];
  if (length < 1 || length > maxNameLength) return `The name must have 1 to ${maxNameLength} characters.`;
  if (!/^\P{C}+$/u.test(name)) return 'The name must not contain invisible characters.';
  return isExpiryChoice(expires) ? undefined : 'Choose when the key expires.';
}

interface TypedKey {
  name: string;
  /** A choice of the form. */
  expires: string;
}

/** A form that was refused, or a key that was created. */
interface ShownKeys {
  typed?: TypedKey;
  problem?: string;
  created?: { name: string; key: string; projectId: string };
}

const choices = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

const isExpiryChoice = (text: string): boolean => choices.some(([value]) => value === text);

const findExpiry = (choice: string, now = Date.now()): Date | null =>
  choice === 'never' ? null : new Date(now + Number(choice) * 24 * 60 * 60_000);

function keysPage(options: ShownKeys & { project: Project; keys: ApiKey[]; origin: string }): DashboardPage {
  const { project, keys, origin, typed = { name: '', expires: '90' }, problem, created } = options;
  const address = linkTo(project.project_id).keys;
  const body = html`
<p class="lead">A key lets a program send instructions to this repository through the API.</p>
${created && renderCreated(created, origin)}
<form class="form inline" method="post" action="${address}">
${renderField(
  { name: 'name', label: 'Name', problem },
  (attributes) =>
    html`<input${attributes} value="${typed.name}" required maxlength="100" autocomplete="off" placeholder="ci">`,
)}
${renderField(
  { name: 'expires', label: 'Expires' },
  (attributes) => html`<select${attributes}>${renderOptions(choices, typed.expires)}</select>`,
)}
<button>${icon('plus')}Create key</button>
</form>
${keys.length > 0 ? renderKeys(keys, address) : html`<div class="empty">${icon('key')}<h2>No keys yet</h2><p>A key lets a program send instructions to this repository. Name it after the program.</p></div>`}`;
  return { status: problem === undefined ? 200 : 422, title: 'Keys', heading: 'API keys', project, tab: 'Keys', body };
}

const renderCreated = (
  { name, key, projectId }: { name: string; key: string; projectId: string },
  origin: string,
): Html => html`<div class="notice good marked">${icon('key')}<div>
<p><strong>Copy the key of ${name} now.</strong> Pagewright stores only its hash, and shows it once.</p>
<p class="secret"><code role="status" tabindex="-1" autofocus>${key}</code>${renderCopy(key)}</p>
<pre>curl -H "Authorization: Bearer ${key.slice(0, 14)}…" -H "Content-Type: application/json" \\
  -d '{"prompt":"Fix the typos in the README"}' \\
  ${origin}/v2/agent/${projectId}/job</pre>
</div></div>`;

const renderKeys = (keys: ApiKey[], address: string): Html => html`<div class="panel"><table class="list keys">
<thead><tr><th scope="col">Name</th><th scope="col">Key</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col">Expires</th><th scope="col"><span class="sr">Actions</span></th></tr></thead>
<tbody>${keys.toReversed().map((key) => renderKey(key, address))}</tbody>
</table></div>`;

function renderKey(key: ApiKey, address: string): Html {
  const { key_id: keyId, name, last4, revoked_at: revokedAt, expires_at: expiresAt, last_used_at: usedAt } = key;
  const isExpired = expiresAt !== null && expiresAt <= new Date();
  const isUsable = !revokedAt && !isExpired;
  const state = revokedAt
    ? html`revoked ${renderTime(revokedAt)}`
    : isExpired && html`expired ${renderTime(expiresAt)}`;
  return html`<tr${!isUsable && html` class="ended"`}><th scope="row">${name}</th>
<td class="short"><code>…${last4}</code></td>
<td class="muted" data-label="Created">${renderTime(key.created_at)}</td>
<td class="muted" data-label="Last used">${usedAt ? renderTime(usedAt) : 'never'}</td>
<td class="muted"${isUsable && html` data-label="Expires"`}>${state || (expiresAt ? renderTime(expiresAt) : 'never')}</td>
<td class="end">${isUsable && renderPost({ name: 'Revoke', action: `${address}/${keyId}/revoke`, question: `Revoke the key ${name}? Programs that use it are refused at once.`, look: 'quiet danger' })}</td></tr>`;
}
