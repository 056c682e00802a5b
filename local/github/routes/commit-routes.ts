import { ApiError, notFound } from '../api/api-error.ts';
import { findBranch, findCommit, readCommits } from '../git/read-git.ts';
import { presentCommit, presentGitCommit } from '../json/present-commit.ts';
import { ok, onRepository, type Route } from './route.ts';

const contents = [{ contents: 'read' as const }];

/** https://docs.github.com/en/rest/commits/commits and https://docs.github.com/en/rest/git/commits */
export const commitRoutes: Route[] = [
  onRepository.get('/commits/*ref', contents, async ({ repository, params }) => {
    const ref = params.ref ?? '';
    const { directory } = repository;
    const sha = (await findBranch(directory, ref)) ?? (await findCommit(directory, ref));
    const [commit] = sha ? await readCommits(directory, ['-1', sha]) : [];
    if (!commit) throw new ApiError(422, `No commit found for SHA: ${ref}`);
    return ok(presentCommit(repository, commit));
  }),
  onRepository.get('/git/commits/:sha', contents, async ({ repository, params }) => {
    const { sha = '' } = params;
    const isThere = /^[0-9a-f]{40}$/.test(sha) && (await findCommit(repository.directory, sha)) !== undefined;
    const [commit] = isThere ? await readCommits(repository.directory, ['-1', sha]) : [];
    if (!commit) throw notFound();
    return ok(presentGitCommit(repository, commit));
  }),
];
