import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { findAccount } from '../accounts.ts';
import { ApiError } from '../api-error.ts';
import { createPerson } from '../create-person.ts';
import { findFormerRepository, findRepository, fullNameOf } from '../repositories.ts';
import type { PullRequest, Repository, World } from '../world.ts';
import { renderCommit } from './commit-page.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';
import { renderPullRequest } from './pull-request-page.ts';
import { renderRepository, renderRepositoryList } from './repository-pages.ts';

const form = z.object({
  as: z.string(),
  body: z.string().default(''),
  action: z.enum(['comment', 'merge', 'close', 'reopen']),
});

/** The pages a person looks at and acts on: repositories, one repository, one pull request, one commit. No JavaScript. */
export function createPages(world: World): Router {
  const router = express.Router();
  router.use((_request, response, next) => {
    response.set({ 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'" });
    next();
  });
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
    if (page === undefined) sendNotice(response, 404, 'There is no such commit.');
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
    // Another site open in the same browser must not press these buttons.
    const origin = request.get('origin');
    const wanted = form.safeParse(request.body);
    if ((origin !== undefined && origin !== `http://${request.get('host')}`) || !wanted.success)
      return sendNotice(response, 400, 'Bad request');
    const problem = await act(repository, pullRequest, wanted.data);
    if (problem === undefined) response.redirect(303, request.path);
    else response.status(422).send(await renderPullRequest(world, repository, pullRequest, problem));
  });
  router.use((_request, response) => sendNotice(response, 404, 'There is no such page.'));
  return router;

  /** Gives what github.com would say when it does not work. */
  async function act(
    repository: Repository,
    pullRequest: PullRequest,
    wanted: z.infer<typeof form>,
  ): Promise<string | undefined> {
    const account = findAccount(world, wanted.as);
    if (!account) return `There is no ${wanted.as}.`;
    const person = createPerson(world, account);
    const at = [fullNameOf(repository), pullRequest.number] as const;
    try {
      if (wanted.body.trim() !== '' || wanted.action === 'comment') person.comment(...at, wanted.body);
      if (wanted.action === 'merge') await person.mergePullRequest(...at);
      if (wanted.action === 'close') await person.closePullRequest(...at);
      if (wanted.action === 'reopen') await person.reopenPullRequest(...at);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.errors?.map(({ message, field, code }) => message ?? `${field}: ${code}`).join(' ') ?? error.message;
    }
  }

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
    else sendNotice(response, 404, 'There is no such repository.');
    return undefined;
  }

  function findPull(request: Request, response: Response) {
    const repository = find(request, response);
    if (!repository) return undefined;
    const pullRequest = repository.pullRequests.find(({ number }) => number === Number(request.params.number));
    if (pullRequest) return { repository, pullRequest };
    sendNotice(response, 404, 'There is no such pull request.');
    return undefined;
  }
}

function sendNotice(response: Response, status: number, text: string): void {
  response.status(status).send(layout({ title: text, body: html`<h1>${text}</h1>` }));
}
