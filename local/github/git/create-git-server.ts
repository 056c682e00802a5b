import { basename } from 'node:path';
import express, { type Request, type Response, type Router } from 'express';
import { ApiError } from '../api/api-error.ts';
import { applyFaultAfter, applyFaultBefore } from '../api/apply-fault.ts';
import type { Faults } from '../api/faults.ts';
import type { InFlight } from '../api/in-flight.ts';
import { type LoggedRequest, logRequest, queryOf } from '../api/request-log.ts';
import { requireApp } from '../apps/require-app.ts';
import { identify } from '../auth/caller.ts';
import { findFormerRepository, findRepository } from '../state/repositories.ts';
import type { World } from '../state/world.ts';
import { authenticateGit, authorizeGit } from './authorize-git.ts';
import { receivePush } from './receive-push.ts';
import { type GitRequest, runHttpBackend } from './run-http-backend.ts';

/** Git's smart HTTP protocol at `/{owner}/{repository}.git`; a renamed repository is still found under its old name. */
export function createGitServer({
  world,
  faults,
  requests,
  inFlight,
}: {
  world: World;
  faults: Faults;
  requests: LoggedRequest[];
  inFlight: InFlight;
}): Router {
  const router = express.Router();
  const handle = (request: Request, response: Response) => inFlight.track(serve(request, response));
  router.get('/:owner/:repo/info/refs', handle);
  router.post('/:owner/:repo/git-upload-pack', handle);
  router.post('/:owner/:repo/git-receive-pack', handle);
  return router;

  async function serve(request: Request, response: Response): Promise<void> {
    const action = basename(request.path) === 'refs' ? 'info/refs' : basename(request.path);
    const service = action === 'info/refs' ? queryOf(request).service : action;
    const { caller, problem } = identify(() => authenticateGit(world, request.get('authorization')));
    const shown = { path: request.path, api: 'git' as const, route: service ?? action, body: undefined };
    const entry = logRequest({ world, requests, request, response, ...shown, caller });
    // curl repeats a request when a reused connection is reset, which would hide an injected reset.
    response.set('connection', 'close');
    const body = Buffer.concat(await request.toArray());
    const fault = faults.take(request.method, request.path);
    if (await applyFaultBefore(fault, caller, response)) return;
    try {
      if (problem) throw problem;
      if (service !== 'git-upload-pack' && service !== 'git-receive-pack')
        throw new ApiError(403, 'Please upgrade your git client.');
      const repository = authorizeGit(findByUrl(request), caller, service === 'git-receive-pack');
      const gitRequest: GitRequest = {
        method: request.method,
        path: `/${basename(repository.directory)}/${action}`,
        query: request.url.split('?')[1] ?? '',
        contentType: request.get('content-type') ?? '',
        contentEncoding: request.get('content-encoding') ?? '',
        protocol: request.get('git-protocol') ?? '',
        body,
        user: caller.kind === 'installation' ? requireApp(world).bot.login : '',
      };
      const answer =
        action === 'git-receive-pack' && caller.kind === 'installation'
          ? await receivePush(repository, gitRequest, {
              pusher: requireApp(world).bot,
              permissions: caller.token.permissions,
            })
          : await runHttpBackend(world.directory, gitRequest, {});
      entry.done = true;
      if (await applyFaultAfter(fault, response)) return;
      response.status(answer.status).set(answer.headers).end(answer.body);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      response.status(error.status).set(error.headers).type('text/plain').end(`${error.message}\n`);
    }
  }

  function findByUrl({ params }: Request) {
    const owner = String(params.owner);
    const name = String(params.repo).replace(/\.git$/, '');
    return findRepository(world, owner, name) ?? findFormerRepository(world, owner, name);
  }
}
