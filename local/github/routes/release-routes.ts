import { notFound } from '../api/api-error.ts';
import { presentRelease } from '../issues/releases.ts';
import { paginate } from './paginate.ts';
import { numberParam, ok, onRepository, type Route } from './route.ts';

const read = [{ contents: 'read' as const }];

/** https://docs.github.com/en/rest/releases/releases */
export const releaseRoutes: Route[] = [
  onRepository.get('/releases', read, (call) =>
    paginate(call, call.repository.releases.toReversed(), (page) =>
      page.map((release) => presentRelease(call.repository, release)),
    ),
  ),
  onRepository.get('/releases/:release_id', read, (call) => {
    const { repository } = call;
    const release = repository.releases.find(({ id }) => id === numberParam(call, 'release_id'));
    if (!release) throw notFound();
    return ok(presentRelease(repository, release));
  }),
];
