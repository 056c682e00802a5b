import { z } from 'zod';
import { notFound } from '../api/api-error.ts';
import { requireApp } from '../apps/require-app.ts';
import { mintToken } from '../auth/tokens.ts';
import { presentApp, presentInstallation, presentRepository } from '../json/present.ts';
import { findInstallationOf, repositoriesOfToken, requireInstallation } from '../state/installations.ts';
import { findFormerRepository, findRepository } from '../state/repositories.ts';
import { paginate } from './paginate.ts';
import { numberParam, ok, onApi, parseBody, type Route } from './route.ts';

const mintBody = z.object({
  repositories: z.array(z.string()).max(500).optional(),
  repository_ids: z.array(z.number().int()).max(500).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).optional(),
});

/** The App's own routes: https://docs.github.com/en/rest/apps/apps */
export const appRoutes: Route[] = [
  onApi.get('/app', 'app', ({ world }) =>
    ok({
      ...presentApp(world, requireApp(world)),
      permissions: requireApp(world).permissions,
      events: requireApp(world).events,
      installations_count: world.installations.size,
    }),
  ),
  onApi.get('/app/installations', 'app', (call) =>
    paginate(call, call.world.installations.values().toArray(), (page) =>
      page.map((installation) => presentInstallation(call.world, installation)),
    ),
  ),
  onApi.get('/app/installations/:installation_id', 'app', (call) =>
    ok(presentInstallation(call.world, requireInstallation(call.world, numberParam(call, 'installation_id')))),
  ),
  onApi.post('/app/installations/:installation_id/access_tokens', 'app', (call) => {
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
        ...(token.repositoryIds ? { repositories: reached.map((repository) => presentRepository(repository)) } : {}),
      },
      201,
    );
  }),
  onApi.get('/repos/:owner/:repo/installation', 'app', ({ world, params }) => {
    const [owner = '', name = ''] = [params.owner, params.repo];
    // github.com redirects a former name to a URL with the same answer.
    const repository = findRepository(world, owner, name) ?? findFormerRepository(world, owner, name);
    const installation = repository && findInstallationOf(repository);
    if (!installation) throw notFound();
    return ok(presentInstallation(world, installation));
  }),
  onApi.get(
    '/installation/repositories',
    'installation',
    (call) => {
      if (call.caller.kind !== 'installation') throw notFound();
      const all = repositoriesOfToken(call.world, call.caller.token);
      return paginate(call, all, (page) => ({
        total_count: all.length,
        repository_selection:
          call.caller.kind === 'installation' && call.caller.token.repositoryIds ? 'selected' : 'all',
        repositories: page.map((repository) => presentRepository(repository)),
      }));
    },
    [{ metadata: 'read' }],
  ),
  onApi.delete('/installation/token', 'installation', ({ world, caller }) => {
    if (caller.kind === 'installation') world.tokens.delete(caller.token.value);
    return { status: 204 };
  }),
];
