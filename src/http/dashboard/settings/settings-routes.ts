import { createHash } from 'node:crypto';
import type { Router } from 'express';
import { LRUCache } from 'lru-cache';
import { permissionReasons } from '../../../config/app-manifest.ts';
import { neededPermissions } from '../../../github/auth/describe-installations.ts';
import { findMissingPermissions } from '../../../github/auth/permissions.ts';
import type { RepositoryClient } from '../../../github/calls/repository-client.ts';
import { askGitHub } from '../../../projects/ask-github.ts';
import { settingsPath } from '../../../repository/settings.ts';
import { ThreadFailure } from '../../../threads/threads.ts';
import type { DashboardParts } from '../dashboard-parts.ts';
import { readForm } from '../frame/read-form.ts';
import { linkTo } from '../frame/render-page.ts';
import type { PageRoutes, ProjectVisit } from '../people/page-routes.ts';
import { changeFileTask, readFileTask, type SettingsFile, type WantedSettings } from './settings-file.ts';
import { labels, readWanted, settingsForm } from './settings-form.ts';
import { type Grants, type SettingsSource, settingsPage } from './settings-page.ts';

const proposeMs = 30_000;
const mostKnown = 500;
/** People who have just accepted a permission look at it again. */
const grantsKeptMs = 30_000;
const tooHard = 'The file takes too long to read: change it on GitHub.';

/** Shows what applies and where it comes from, and proposes changes as pull requests. */
export function createSettingsRoutes(
  { config, fetchInstallation, openProject, readContextStates, readBody, runTask, log }: DashboardParts,
  { forMaintainers }: PageRoutes,
): Router {
  const { models } = config.openai;
  const { webUrl } = config.github;
  const { settings: address } = linkTo(':projectId');

  const knownGrants = new LRUCache<number, NonNullable<Grants>>({ max: mostKnown, ttl: grantsKeptMs });
  async function findGrants(installationId: number, signal: AbortSignal): Promise<Grants> {
    const known = knownGrants.get(installationId);
    if (known) return known;
    const installation = await fetchInstallation(installationId, signal).catch((error: unknown) => {
      log.warn({ err: error, installationId }, 'GitHub did not say what the App may do');
      return undefined;
    });
    if (!installation) return null;
    const missing = findMissingPermissions(neededPermissions, installation.permissions);
    const grants = neededPermissions.split(',').map((needed) => {
      const [name = '', level = ''] = needed.split('=');
      const given = installation.permissions[name] ?? 'none';
      const isEnough = !missing.includes(needed);
      return { name, reason: permissionReasons[name] ?? '', given, needed: level, isEnough };
    });
    knownGrants.set(installationId, grants);
    return grants;
  }

  /** The text of a version of the file; empty: there is no file. Undefined: GitHub did not return it. */
  async function fetchText({ project, signal }: ProjectVisit, ref: string): Promise<string | undefined> {
    const asked = await askGitHub(async () => {
      await using access = await openProject(project, { contents: 'read' }, signal);
      const file = await access.client.fetchFile(settingsPath, ref);
      return file;
    });
    if (asked.kind !== 'answered' || asked.result.kind === 'too_large') return undefined;
    return asked.result.kind === 'text' ? asked.result.text : '';
  }

  /** A push to the file makes the service read the settings again: until then, the file is as it was. */
  const knownFiles = new LRUCache<string, SettingsFile>({ max: mostKnown });
  async function findSource(visit: ProjectVisit): Promise<SettingsSource> {
    const { project, signal } = visit;
    const { project_id: projectId, settings_problems: problems, settings_read_at: readAt } = project;
    const ref = (problems.length > 0 && project.good_settings_sha) || project.default_branch;
    const key = readAt === null ? undefined : JSON.stringify([projectId, ref, readAt]);
    const known = key === undefined ? undefined : knownFiles.get(key);
    if (known) return { ref, file: known };
    const text = await fetchText(visit, ref);
    const file = text === undefined ? null : await readFile(text, signal);
    if (file && key !== undefined) knownFiles.set(key, file);
    return { ref, file };
  }
  const readFile = (text: string, signal: AbortSignal): Promise<SettingsFile | null> =>
    runTask(readFileTask, text, signal).catch((error: unknown) => {
      if (error instanceof ThreadFailure) return null;
      throw error;
    });

  const showForm = (visit: ProjectVisit, settings: WantedSettings, problems: readonly string[], status = 422) =>
    settingsForm({ project: visit.project, settings, models, webUrl, problems, status });

  /** Why nothing was proposed, or the number of the pull request. */
  async function propose(
    visit: ProjectVisit,
    wanted: WantedSettings,
  ): Promise<{ problems: readonly string[] } | { number: number }> {
    const { project, person } = visit;
    const text = await fetchText(visit, project.default_branch);
    if (text === undefined) return { problems: ['GitHub did not return the file. Try again in a moment.'] };
    const signal = AbortSignal.timeout(proposeMs);
    const changed = await runTask(changeFileTask, { text, wanted }, signal).catch((error: unknown) => {
      if (error instanceof ThreadFailure) return { kind: 'refused' as const, problems: [tooHard] };
      throw error;
    });
    if (changed.kind === 'unchanged') return { problems: ['These are the settings of the file already.'] };
    if (changed.kind === 'refused') return { problems: changed.problems };
    const names = changed.names.map((name) => `- ${labels[name] ?? name} (\`${name}\`)`).join('\n');
    const body = `@${person.login} proposes on the dashboard of Pagewright to change:\n\n${names}\n`;
    const asked = await askGitHub(async () => {
      const permissions = { contents: 'write', pull_requests: 'write' } as const;
      await using access = await openProject(project, permissions, signal);
      const proposed = await proposeSettings(access.client, { base: project.default_branch, text: changed.text, body });
      return proposed;
    });
    if (asked.kind === 'refused') return { problems: [asked.message] };
    if (asked.kind !== 'answered') return { problems: ['GitHub does not answer now. Try again in a few seconds.'] };
    const { result } = asked;
    if (result.kind === 'refused') return { problems: [result.sentence] };
    if (result.kind === 'moved') return { problems: ['The repository changed meanwhile. Try again.'] };
    log.info({ projectId: project.project_id, login: person.login }, 'a person proposed to change the settings');
    return { number: result.number };
  }

  const { router, get, post } = forMaintainers();
  get(address, async (visit) => {
    const { project, request, signal } = visit;
    const { proposed } = request.query;
    return settingsPage({
      project,
      models,
      webUrl,
      source: await findSource(visit),
      context: await readContextStates(project, signal),
      grants: await findGrants(project.installation_id, signal),
      proposed: typeof proposed === 'string' && /^\d{1,9}$/.test(proposed) ? Number(proposed) : undefined,
    });
  });
  get(`${address}/edit`, async (visit) => {
    const text = await fetchText(visit, visit.project.default_branch);
    const file = text === undefined ? null : await readFile(text, visit.signal);
    if (!file) return showForm(visit, {}, ['GitHub did not return the file. Reload this page in a moment.']);
    return showForm(visit, file.readable, file.problems, 200);
  });
  post(`${address}/edit`, async (visit) => {
    const wanted = readWanted(await readForm(visit, readBody));
    const proposed = await propose(visit, wanted);
    if ('problems' in proposed) return showForm(visit, wanted, proposed.problems);
    return { redirectTo: `${linkTo(visit.project.project_id).settings}?proposed=${proposed.number}` };
  });
  return router;
}

type Proposed =
  | { kind: 'proposed'; number: number }
  /** The branch moved while the change was written. */
  | { kind: 'moved' }
  | { kind: 'refused'; sentence: string };

/**
 * Opens a pull request with this version of the settings. Idempotent: the same proposal on the same commit has the same branch, and what
 * exists already is adopted.
 */
async function proposeSettings(
  client: RepositoryClient,
  { base, text, body }: { base: string; text: string; body: string },
): Promise<Proposed> {
  const tip = await client.findBranchTip(base);
  if (tip === undefined) return { kind: 'refused', sentence: `The repository has no branch ${base}.` };
  const digest = createHash('sha256').update(`${tip}\n${text}`).digest('hex');
  const branch = `pagewright-settings/${digest.slice(0, 12)}`;
  const title = 'Change the settings of Pagewright';
  await client.createBranch(branch, tip);
  const additions = [{ path: settingsPath, content: Buffer.from(text) }];
  const commit = { branch, expectedHead: tip, headline: title, body, additions, deletions: [] };
  // `moved`: an earlier try of this proposal committed it.
  const committed = await client.createSignedCommit(commit);
  const isOurs = committed.kind === 'made' || (await holds(client, branch, text));
  if (!isOurs) return { kind: 'moved' };
  const created = await client.createPullRequest({ title, head: branch, base, body, draft: false });
  if (created.kind === 'created') return { kind: 'proposed', number: created.pullRequest.number };
  const found = await client.findPullRequest({ branch });
  if (found) return { kind: 'proposed', number: found.number };
  if (created.kind === 'ambiguous') throw created.cause;
  return { kind: 'refused', sentence: `GitHub did not open a pull request for the branch ${branch}. Open it there.` };
}

async function holds(client: RepositoryClient, branch: string, text: string): Promise<boolean> {
  const file = await client.fetchFile(settingsPath, branch);
  return file.kind === 'text' && file.text === text;
}
