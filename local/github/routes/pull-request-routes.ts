import { z } from 'zod';
import { diffCommits } from '../git/diff-commits.ts';
import { findMergeBase } from '../git/read-git.ts';
import { presentFile } from '../json/present-commit.ts';
import { presentPullRequest, presentSimplePullRequest } from '../json/present-pull-request.ts';
import { createPullRequest } from '../pulls/create-pull-request.ts';
import { editPullRequest } from '../pulls/edit-pull-request.ts';
import { findPullRequest } from '../pulls/find-pull-request.ts';
import { updateBranch } from '../pulls/update-branch.ts';
import type { PullRequest } from '../state/world.ts';
import { paginate } from './paginate.ts';
import { numberParam, ok, onRepository, parseBody, type RepositoryCall, type Route } from './route.ts';

const createBody = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().optional(),
  maintainer_can_modify: z.boolean().optional(),
});
const editBody = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  base: z.string().optional(),
  maintainer_can_modify: z.boolean().optional(),
});

const updateBody = z.object({ expected_head_sha: z.string().optional() });

const read = [{ pull_requests: 'read' as const }];
const write = [{ pull_requests: 'write' as const }];

const pullRequestOf = (call: RepositoryCall): PullRequest =>
  findPullRequest(call.repository, numberParam(call, 'number'));

/** https://docs.github.com/en/rest/pulls/pulls */
export const pullRequestRoutes: Route[] = [
  onRepository.get('/pulls', read, (call) =>
    paginate(call, listPullRequests(call), (page) => page.map((pullRequest) => presentSimplePullRequest(pullRequest))),
  ),
  onRepository.post('/pulls', write, async (call) => {
    const { maintainer_can_modify: maintainerCanModify, ...fields } = parseBody(createBody, call.body);
    const { repository, bot } = call;
    const pullRequest = await createPullRequest(repository, { ...fields, maintainerCanModify }, bot);
    const shown = await presentPullRequest(pullRequest);
    return { status: 201, body: shown, headers: { location: shown.url } };
  }),
  onRepository.get('/pulls/:number', [...read, { contents: 'read' }], async (call) =>
    ok(await presentPullRequest(pullRequestOf(call))),
  ),
  onRepository.patch('/pulls/:number', write, async (call) => {
    const { bot } = call;
    const pullRequest = pullRequestOf(call);
    const { maintainer_can_modify: maintainerCanModify, ...edit } = parseBody(editBody, call.body);
    await editPullRequest(pullRequest, { ...edit, maintainerCanModify }, bot);
    return ok(await presentPullRequest(pullRequest));
  }),
  onRepository.put('/pulls/:number/update-branch', write, async (call) => {
    const { expected_head_sha: expected } = parseBody(updateBody, call.body);
    await updateBranch(call.repository, pullRequestOf(call), { expected, updatedBy: call.bot });
    return ok({ message: 'Updating pull request branch.' }, 202);
  }),
  onRepository.get('/pulls/:number/files', read, async (call) => {
    const { headSha, baseSha } = pullRequestOf(call);
    const { directory } = call.repository;
    const base = (await findMergeBase(directory, baseSha, headSha)) ?? baseSha;
    const files = (await diffCommits(directory, base, headSha)).map((file, id) => ({ id, file }));
    return paginate(call, files, (page) => page.map(({ file }) => presentFile(call.repository, headSha, file)));
  }),
];

/** Filters as GitHub does: it ignores a `head` without an owner. Newest first by default. */
function listPullRequests({ repository, query }: RepositoryCall): PullRequest[] {
  const { state = 'open', head, base, sort = 'created', direction = sort === 'created' ? 'desc' : 'asc' } = query;
  const filterHead = head?.includes(':') ? head.toLowerCase() : undefined;
  const found = repository.pullRequests.filter(
    (pullRequest) =>
      (state === 'all' || pullRequest.state === state) &&
      (filterHead === undefined || `${repository.owner.login}:${pullRequest.headRef}`.toLowerCase() === filterHead) &&
      (!base || pullRequest.baseRef === base),
  );
  const key = (pullRequest: PullRequest) => (sort === 'updated' ? pullRequest.updatedAt : pullRequest.createdAt);
  found.sort((left, right) => key(left).localeCompare(key(right)) || left.number - right.number);
  return direction === 'desc' ? found.reverse() : found;
}
