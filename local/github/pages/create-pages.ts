import express, { type Request, type Response, type Router } from 'express';
import type { AppRegistration } from '../apps/create-app-registration.ts';
import type { ManageInstallations } from '../apps/manage-installations.ts';
import { findFormerRepository, findRepository, fullNameOf } from '../state/repositories.ts';
import type { Repository, World } from '../state/world.ts';
import { createAppPages } from './app-pages.ts';
import { renderCommit } from './commit-page.ts';
import { pressButton, pressedButton } from './press-button.ts';
import { renderPullRequest } from './pull-request-page.ts';
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
  router.get('/', (_request, response) => {
    response.send(renderRepositoryList(world));
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
    const found = findPull(request, response);
    if (found) response.send(await renderPullRequest(world, found.repository, found.pullRequest));
  });
  router.post('/:owner/:repo/pull/:number', express.urlencoded({ extended: false }), async (request, response) => {
    const found = findPull(request, response);
    if (!found) return;
    const { repository, pullRequest } = found;
    const button = pressedButton.safeParse(request.body);
    if (!isFromHere(request) || !button.success) return sendNotice(response, 400, 'Bad request');
    const problem = await pressButton(world, repository, pullRequest, button.data);
    if (problem === undefined) response.redirect(303, request.path);
    else response.status(422).send(await renderPullRequest(world, repository, pullRequest, problem));
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
    if (pullRequest) return { repository, pullRequest };
    sendNotice(response, 404, 'Pull request not found.');
    return undefined;
  }
}
