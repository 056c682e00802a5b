import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import type { AppRegistration } from '../apps/create-app-registration.ts';
import type { ManageInstallations } from '../apps/manage-installations.ts';
import { type Manifest, parseManifest } from '../apps/parse-manifest.ts';
import { ensureAccount, findAccount } from '../state/accounts.ts';
import { findInstallationOn } from '../state/installations.ts';
import type { World } from '../state/world.ts';
import { renderInstallForm, renderManifestField, renderNewApp } from './app-forms.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { isFromHere, protectPage, sendNotice } from './send-page.ts';

const newAppForm = z.object({
  manifest: z.string(),
  name: z.string().optional(),
  state: z.string().optional(),
  as: z.string().optional(),
});
const installForm = z.object({
  account: z.string(),
  repositories: z.union([z.string(), z.array(z.string())]).default([]),
});

/** Pages that register an App from a manifest and install it. The page itself offers the accounts to sign in as. */
export function createAppPages({
  world,
  registration,
  installations,
}: {
  world: World;
  registration: AppRegistration;
  installations: ManageInstallations;
}): Router {
  const router = express.Router();
  const form = express.urlencoded({ extended: false, limit: '1mb' });
  for (const prefix of ['', '/organizations/:org']) {
    router.get(`${prefix}/settings/apps/new`, (request, response) => showNewApp(request, response, request.query));
    // Another site sends this form, so nothing happens before a person presses a button here.
    router.post(`${prefix}/settings/apps/new`, form, (request, response) =>
      showNewApp(request, response, Object.assign({}, request.body, { state: request.query.state })),
    );
    router.post(`${prefix}/settings/apps`, form, attempt(registerApp));
  }
  for (const prefix of ['/apps', '/github-apps']) {
    router.get(`${prefix}/:slug`, (request, response) => {
      if (isApp(request)) response.redirect(`${request.path}/installations/new`);
      else sendNotice(response, 404, 'App not found.');
    });
    router.get(`${prefix}/:slug/installations/new`, (request, response) => showInstall(request, response));
    router.post(`${prefix}/:slug/installations/new`, form, attempt(install));
  }
  router.get('/settings/installations/:installation_id', (request, response) => {
    const installation = world.installations.get(Number(request.params.installation_id));
    if (!installation || !world.app) return sendNotice(response, 404, 'Installation not found.');
    const text = `${world.app.name} is installed on ${installation.account.login}.`;
    response.send(layout({ title: text, body: html`<h1>${text}</h1>` }));
  });
  return router;

  function showNewApp(request: Request, response: Response, form: unknown) {
    const fields = newAppForm.safeParse(form);
    if (findOwner(request) === undefined) return sendNotice(response, 404, 'Organization not found.');
    if (!fields.success) return response.send(renderManifestField(request.originalUrl));
    const manifest = tryParse(response, fields.data.manifest);
    if (!manifest) return;
    protectPage(response, [manifest.redirect_url]);
    const action = request.path.replace(/\/new$/, '');
    response.send(renderNewApp(world, { manifest, text: fields.data.manifest, state: fields.data.state, action }));
  }

  async function registerApp(request: Request, response: Response) {
    const fields = newAppForm.parse(request.body);
    const manifest = parseManifest(fields.manifest);
    const owner = findOwner(request, fields.as);
    if (!owner) return sendNotice(response, 404, 'Account not found.');
    const named = parseManifest({ ...manifest, name: fields.name ?? manifest.name });
    protectPage(response, [manifest.redirect_url]);
    response.redirect(302, await registration.register(named, { owner, state: fields.state }));
  }

  function showInstall(request: Request, response: Response, problem?: string) {
    if (!world.app || !isApp(request)) return sendNotice(response, 404, 'App not found.');
    protectPage(response, world.app.setupUrl === null ? [] : [world.app.setupUrl]);
    response.status(problem === undefined ? 200 : 422).send(renderInstallForm(world, world.app, problem));
  }

  function install(request: Request, response: Response) {
    const { app } = world;
    if (!app || !isApp(request)) return sendNotice(response, 404, 'App not found.');
    const { account: login, repositories: chosen } = installForm.parse(request.body);
    const account = findAccount(world, login);
    if (!account || (!app.isPublic && account.id !== app.owner.id)) {
      return showInstall(request, response, `${app.name} cannot be installed on ${login}.`);
    }
    if (findInstallationOn(world, account)) {
      return showInstall(request, response, `${app.name} is already installed on ${login}.`);
    }
    const names = [chosen].flat().flatMap((fullName) => {
      const [owner, name] = fullName.split('/');
      return owner === account.login && name !== undefined ? [name] : [];
    });
    const installationId = installations.install({
      account: account.login,
      repositories: names.length === 0 ? 'all' : names,
    });
    if (app.setupUrl === null) return response.redirect(303, `/settings/installations/${installationId}`);
    const target = new URL(app.setupUrl);
    target.searchParams.set('installation_id', String(installationId));
    target.searchParams.set('setup_action', 'install');
    protectPage(response, [app.setupUrl]);
    response.redirect(302, target.href);
  }

  function isApp(request: Request): boolean {
    return world.app !== undefined && world.app.slug === request.params.slug;
  }

  function findOwner({ params }: Request, login?: string) {
    const organization = params.org === undefined ? undefined : findAccount(world, String(params.org));
    if (params.org !== undefined) return organization?.type === 'Organization' ? organization : undefined;
    if (login === undefined) {
      return world.accounts.values().find(({ type }) => type === 'User') ?? ensureAccount(world, 'octocat');
    }
    const account = findAccount(world, login);
    return account?.type === 'User' ? account : undefined;
  }
}

function tryParse(response: Response, text: string): Manifest | undefined {
  try {
    return parseManifest(text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    sendNotice(response, error.status, error.message);
    return undefined;
  }
}

/** Handles a form that only this server's pages may submit, and shows why it failed. */
const attempt =
  (work: (request: Request, response: Response) => unknown) => async (request: Request, response: Response) => {
    if (!isFromHere(request)) return sendNotice(response, 400, 'Bad request');
    try {
      await work(request, response);
    } catch (error) {
      if (error instanceof z.ZodError) sendNotice(response, 400, 'Bad request');
      else if (error instanceof ApiError) sendNotice(response, error.status, error.message);
      else throw error;
    }
  };
