import express, { type Request, type Response, type Router } from 'express';
import type { AppRegistration } from '../apps/create-app-registration.ts';
import type { ManageInstallations } from '../apps/manage-installations.ts';
import { diffCommits } from '../git/diff-commits.ts';
import { findCommit, readCommits } from '../git/read-git.ts';
import { signedPath } from '../json/add-body-html.ts';
import { findFormerRepository, findRepository, fullNameOf } from '../state/repositories.ts';
import type { Repository, World } from '../state/world.ts';
import { createAppPages } from './app-pages.ts';
import { createAuthorizePages } from './authorize-pages.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { pressButton, pressedButton } from './press-button.ts';
import { renderPullRequest } from './pull-request-page.ts';
import { renderFileChange } from './render-file-change.ts';
import { renderRepository, renderRepositoryList } from './repository-pages.ts';
import { isFromHere, isLoopback, protectPage, sendNotice } from './send-page.ts';

/** The web pages of repositories, pull requests, commits and the App. No JavaScript. */
export function createPages({
  world,
  registration,
  installations,
}: {
  world: World;
  registration: AppRegistration;
  installations: ManageInstallations;
}): Router {
  const router = express.Router();
  router.use((request, response, next) => {
    protectPage(response);
    if (isLoopback(request)) next();
    else sendNotice(response, 421, 'This server does not serve that host.');
  });
  router.use(createAppPages({ world, registration, installations }));
  router.use(createAuthorizePages(world));
  router.get('/', (_request, response) => {
    response.send(renderRepositoryList(world));
  });
  // A signed address, which takes no credentials: https://docs.github.com/en/rest/actions/workflow-jobs#download-job-logs-for-a-workflow-run
  router.get('/signed-logs/:repository/:job', (request, response) => {
    if (request.get('authorization') !== undefined) return sendNotice(response, 403, 'Two credentials.');
    const repository = world.repositories.get(Number(request.params.repository));
    const run = repository?.checkRuns.find(({ id }) => id === Number(request.params.job));
    response.type('text/plain').send(run?.log ?? '');
  });
  // Without its signature, an attachment needs a person's session.
  router.get(`${signedPath}/:user/:file`, (request, response) => {
    const [, id = ''] = /^\d+-([0-9a-f-]{36})\.png$/.exec(String(request.params.file)) ?? [];
    const found = request.query.jwt === 'signed' ? world.attachments.get(id) : undefined;
    if (request.get('authorization') !== undefined) return sendNotice(response, 403, 'Two credentials.');
    if (!found) return sendNotice(response, 404, 'Image not found.');
    if (found.status === 302) return response.redirect('/elsewhere');
    response.status(found.status).type('image/png').send(found.content);
  });
  router.get('/:owner/:repo', async (request, response) => {
    const repository = find(request, response);
    if (repository) response.send(await renderRepository(repository));
  });
  router.get('/:owner/:repo/commit/:sha', async (request, response) => {
    const repository = find(request, response);
    if (!repository) return;
    const page = await renderCommit(repository, request.params.sha);
    if (page === undefined) sendNotice(response, 404, 'Commit not found.');
    else response.send(page);
  });
  router.get('/:owner/:repo/pull/:number', async (request, response) => {
    const pullRequest = findPull(request, response);
    if (pullRequest) response.send(await renderPullRequest(pullRequest));
  });
  router.post('/:owner/:repo/pull/:number', express.urlencoded({ extended: false }), async (request, response) => {
    const pullRequest = findPull(request, response);
    if (!pullRequest) return;
    const button = pressedButton.safeParse(request.body);
    if (!isFromHere(request) || !button.success) return sendNotice(response, 400, 'Bad request');
    const problem = await pressButton(pullRequest, button.data);
    if (problem === undefined) response.redirect(303, request.path);
    else response.status(422).send(await renderPullRequest(pullRequest, problem));
  });
  router.use((_request, response) => sendNotice(response, 404, 'Page not found.'));
  return router;

  function find({ params, path }: Request, response: Response): Repository | undefined {
    const [owner, name] = [String(params.owner), String(params.repo)];
    const repository = findRepository(world, owner, name);
    if (repository) return repository;
    const former = findFormerRepository(world, owner, name);
    if (former)
      response.redirect(
        301,
        `/${fullNameOf(former)}${path
          .split('/')
          .slice(3)
          .map((part) => `/${part}`)
          .join('')}`,
      );
    else sendNotice(response, 404, 'Repository not found.');
    return undefined;
  }

  function findPull(request: Request, response: Response) {
    const repository = find(request, response);
    if (!repository) return undefined;
    const pullRequest = repository.pullRequests.find(({ number }) => number === Number(request.params.number));
    if (pullRequest) return pullRequest;
    sendNotice(response, 404, 'Pull request not found.');
    return undefined;
  }
}

/** Git's empty tree, which a commit without a parent is compared with. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** A commit's message, author and diff. Undefined when the repository has no such commit. */
async function renderCommit(repository: Repository, sha: string): Promise<string | undefined> {
  const { directory } = repository;
  if (!/^[0-9a-f]{7,40}$/.test(sha) || (await findCommit(directory, sha)) === undefined) return undefined;
  const [commit] = await readCommits(directory, ['-1', sha]);
  if (commit === undefined) return undefined;
  const files = await diffCommits(directory, commit.parents[0] ?? emptyTree, commit.sha);
  const [subject = '', ...rest] = commit.message.split('\n');
  const more = rest.join('\n').trim();
  const name = fullNameOf(repository);
  const body = html`
<p class="muted"><a href="/${name}">${name}</a></p>
<h1>${subject}</h1>
${more !== '' && html`<pre>${more}</pre>`}
<p><strong>${commit.author.name}</strong> <span class="muted">${commit.author.date}</span> <code>${commit.sha}</code></p>
<h2>Files changed</h2>
${files.map(renderFileChange)}`;
  return layout({ title: `${subject} · ${name}@${commit.sha.slice(0, 7)}`, body });
}
