import { z } from 'zod';
import { notFound } from '../api/api-error.ts';
import { requireApp } from '../apps/require-app.ts';
import { mintToken } from '../auth/tokens.ts';
import { presentApp, presentInstallation, presentRepository } from '../json/present.ts';
import { findInstallationOf, repositoriesOfToken, requireInstallation } from '../state/installations.ts';
import { findFormerRepository, findRepository } from '../state/repositories.ts';
import { paginate } from './paginate.ts';
import { numberParam, ok, parseBody, type Route } from './route.ts';

const mintBody = z.object({
  repositories: z.array(z.string()).max(500).optional(),
  repository_ids: z.array(z.number().int()).max(500).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).optional(),
});

/** The App's own routes: https://docs.github.com/en/rest/apps/apps */
export const appRoutes: Route[] = [
  {
    method: 'GET',
    path: '/app',
    as: 'app',
    handle: ({ world }) =>
      ok({
        ...presentApp(world, requireApp(world)),
        permissions: requireApp(world).permissions,
        events: requireApp(world).events,
        installations_count: world.installations.size,
      }),
  },
  {
    method: 'GET',
    path: '/app/installations',
    as: 'app',
    handle: (call) =>
      paginate(call, call.world.installations.values().toArray(), (page) =>
        page.map((installation) => presentInstallation(call.world, installation)),
      ),
  },
  {
    method: 'GET',
    path: '/app/installations/:installation_id',
    as: 'app',
    handle: (call) =>
      ok(presentInstallation(call.world, requireInstallation(call.world, numberParam(call, 'installation_id')))),
  },
  {
    method: 'POST',
    path: '/app/installations/:installation_id/access_tokens',
    as: 'app',
    handle(call) {
      const installation = requireInstallation(call.world, numberParam(call, 'installation_id'));
      const { repositories, repository_ids: repositoryIds, permissions } = parseBody(mintBody, call.body);
      const token = mintToken(call.world, installation, {
        ...(repositories ? { repositories } : {}),
        ...(repositoryIds ? { repositoryIds } : {}),
        ...(permissions ? { permissions } : {}),
      });
      const reached = repositoriesOfToken(call.world, token);
      return ok(
        {
          token: token.value,
          expires_at: token.expiresAt.toISOString().replace('.000Z', 'Z'),
          permissions: token.permissions,
          repository_selection: token.repositoryIds || installation.repositories !== 'all' ? 'selected' : 'all',
          ...(token.repositoryIds
            ? { repositories: reached.map((repository) => presentRepository(call.world, repository)) }
            : {}),
        },
        201,
      );
    },
  },
  {
    method: 'GET',
    path: '/repos/:owner/:repo/installation',
    as: 'app',
    handle({ world, params }) {
      const [owner = '', name = ''] = [params.owner, params.repo];
      // github.com redirects a former name to a URL with the same answer.
      const repository = findRepository(world, owner, name) ?? findFormerRepository(world, owner, name);
      const installation = repository && findInstallationOf(world, repository);
      if (!installation) throw notFound();
      return ok(presentInstallation(world, installation));
    },
  },
  {
    method: 'GET',
    path: '/installation/repositories',
    as: 'installation',
    needs: [{ metadata: 'read' }],
    handle(call) {
      if (call.caller.kind !== 'installation') throw notFound();
      const all = repositoriesOfToken(call.world, call.caller.token);
      return paginate(call, all, (page) => ({
        total_count: all.length,
        repository_selection:
          call.caller.kind === 'installation' && call.caller.token.repositoryIds ? 'selected' : 'all',
        repositories: page.map((repository) => presentRepository(call.world, repository)),
      }));
    },
  },
  {
    method: 'DELETE',
    path: '/installation/token',
    as: 'installation',
    handle({ world, caller }) {
      if (caller.kind === 'installation') world.tokens.delete(caller.token.value);
      return { status: 204 };
    },
  },
];
