import { notFound } from '../api/api-error.ts';
import { presentRelease } from '../issues/releases.ts';
import { paginate } from './paginate.ts';
import { numberParam, ok, type Route } from './route.ts';

const read = [{ contents: 'read' as const }];

/** https://docs.github.com/en/rest/releases/releases */
export const releaseRoutes: Route[] = [
  {
    method: 'GET',
    path: '/releases',
    as: 'repository',
    needs: read,
    handle: (call) =>
      paginate(call, call.repository.releases.toReversed(), (page) =>
        page.map((release) => presentRelease(call.world, call.repository, release)),
      ),
  },
  {
    method: 'GET',
    path: '/releases/:release_id',
    as: 'repository',
    needs: read,
    handle(call) {
      const { world, repository } = call;
      const release = repository.releases.find(({ id }) => id === numberParam(call, 'release_id'));
      if (!release) throw notFound();
      return ok(presentRelease(world, repository, release));
    },
  },
];
