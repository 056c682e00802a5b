import { z } from 'zod';
import { ApiError, notFound } from '../api/api-error.ts';
import { findCommit, zeroSha } from '../git/read-git.ts';
import { GitError, runGit } from '../git/run-git.ts';
import { updateRef } from '../git/update-ref.ts';
import { apiUrlOf, nodeId } from '../json/present.ts';
import type { Needed } from '../state/permissions.ts';
import type { Repository } from '../state/world.ts';
import { ok, onRepository, parseBody, permissionsOf, type RepositoryCall, type Route } from './route.ts';

const createBody = z.object({ ref: z.string(), sha: z.string() });

/** The second way is for changes of workflows: https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
const write: Needed = [{ contents: 'write' }, { contents: 'write', workflows: 'write' }];

/** https://docs.github.com/en/rest/git/refs */
export const refRoutes: Route[] = [
  onRepository.get('/git/ref/*ref', [{ contents: 'read' }], async ({ repository, params }) => {
    const ref = `refs/${params.ref ?? ''}`;
    const sha = /^refs\/(heads|tags)\/./.test(ref) ? await findCommit(repository.directory, ref) : undefined;
    if (!sha) throw notFound();
    return ok(presentRef(repository, ref, sha));
  }),
  onRepository.post('/git/refs', write, async (call) => {
    const { repository } = call;
    const { ref, sha } = parseBody(createBody, call.body);
    await refuseBadName(repository, ref);
    if (await findCommit(repository.directory, ref)) throw new ApiError(422, 'Reference already exists');
    await refuseMissingObject(repository, sha);
    await move(call, { ref, before: zeroSha, after: sha });
    const shown = presentRef(repository, ref, sha);
    return { status: 201, body: shown, headers: { location: shown.url } };
  }),
];

const move = (call: RepositoryCall, update: { ref: string; before: string; after: string }) =>
  updateRef(call.repository, update, { sender: call.bot, permissions: permissionsOf(call) });

async function refuseMissingObject({ directory }: Repository, sha: string): Promise<void> {
  const isFull = /^[0-9a-f]{40}$/.test(sha);
  if (!isFull || !(await findCommit(directory, sha))) throw new ApiError(422, 'Object does not exist');
}

async function refuseBadName({ directory }: Repository, ref: string): Promise<void> {
  try {
    if (!/^refs\/(heads|tags)\//.test(ref)) throw new ApiError(422, `${ref} is not a valid ref name.`);
    await runGit(directory, ['check-ref-format', ref]);
  } catch (error) {
    if (error instanceof GitError) throw new ApiError(422, `${ref} is not a valid ref name.`);
    throw error;
  }
}

function presentRef(repository: Repository, ref: string, sha: string) {
  const url = apiUrlOf(repository);
  return {
    ref,
    node_id: nodeId('REF', repository.id),
    url: `${url}/git/${ref}`,
    object: { sha, type: 'commit', url: `${url}/git/commits/${sha}` },
  };
}
