import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ApiError } from '../api/api-error.ts';
import { requireApp } from '../apps/require-app.ts';
import { noreplyOf } from '../git/noreply.ts';
import { findBranch, readCommits } from '../git/read-git.ts';
import { runGit } from '../git/run-git.ts';
import { updateRef } from '../git/update-ref.ts';
import { type Files, writeCommit } from '../git/write-commit.ts';
import { nodeId, webUrlOf } from '../json/present.ts';
import { commitNodeId } from '../json/present-commit.ts';
import { repositoriesOfToken } from '../state/installations.ts';
import { hasPermission } from '../state/permissions.ts';
import { findFormerRepository, findRepository } from '../state/repositories.ts';
import type { Repository, Token, World } from '../state/world.ts';
import { GraphqlError } from './graphql-error.ts';

const sha = z.string().regex(/^[0-9a-f]{40}$/, 'Expected value to be a GitObjectID');

/** https://docs.github.com/en/graphql/reference/input-objects#createcommitonbranchinput; `branch` by name only. */
export const createCommitOnBranchInput = z.strictObject({
  branch: z.strictObject({ repositoryNameWithOwner: z.string(), branchName: z.string() }),
  expectedHeadOid: sha,
  message: z.strictObject({ headline: z.string(), body: z.string().nullish() }),
  fileChanges: z
    .strictObject({
      additions: z.array(z.strictObject({ path: z.string(), contents: z.base64() })).nullish(),
      deletions: z.array(z.strictObject({ path: z.string() })).nullish(),
    })
    .nullish(),
  clientMutationId: z.string().nullish(),
});

type Input = z.infer<typeof createCommitOnBranchInput>;

/**
 * One commit on top of a branch, made and signed by GitHub in the App's name: every file that it writes has mode 100644.
 * Throws `GraphqlError`. https://docs.github.com/en/graphql/reference/mutations#createcommitonbranch
 */
export async function createCommitOnBranch(world: World, token: Token, input: Input) {
  const { expectedHeadOid: expected, message } = input;
  const { bot } = requireApp(world);
  const repository = findWritable(world, token, input.branch.repositoryNameWithOwner);
  const { directory } = repository;
  const branch = input.branch.branchName.replace(/^refs\/heads\//, '');
  const tip = await findBranch(directory, branch);
  if (!tip) throw refused('NOT_FOUND', `Could not resolve to a branch named '${branch}'.`);
  if (tip !== expected) throw stale(expected);
  const files = await readFiles(repository, input);
  const body = message.body ? `\n\n${message.body}` : '';
  const after = await writeLooseCommit(directory, {
    from: tip,
    files,
    message: `${message.headline}${body}`,
    author: noreplyOf(bot),
    committer: { name: 'GitHub', email: 'noreply@github.com' },
    date: world.clock(),
  });
  repository.signedCommits.add(after);
  const update = { ref: `refs/heads/${branch}`, before: tip, after };
  try {
    await updateRef(repository, update, { sender: bot, permissions: token.permissions });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if ((await findBranch(directory, branch)) !== tip) throw stale(expected);
    throw refused(error.status === 403 ? 'FORBIDDEN' : 'UNPROCESSABLE', error.message);
  }
  const [commit] = await readCommits(directory, ['-1', after]);
  const [headline = '', ...rest] = commit?.message.split('\n') ?? [];
  return {
    clientMutationId: input.clientMutationId ?? null,
    commit: {
      id: commitNodeId(after),
      oid: after,
      abbreviatedOid: after.slice(0, 7),
      url: `${webUrlOf(repository)}/commit/${after}`,
      message: commit?.message,
      messageHeadline: headline,
      messageBody: rest.join('\n').trim(),
      authoredDate: commit?.author.date,
      committedDate: commit?.committer.date,
      tree: { oid: commit?.tree },
      author: commit?.author,
      committer: commit?.committer,
      signature: { isValid: true, state: 'VALID', wasSignedByGitHub: true },
    },
    ref: {
      id: nodeId('REF', repository.id),
      name: branch,
      prefix: 'refs/heads/',
      target: { id: commitNodeId(after), oid: after },
    },
  };
}

function findWritable(world: World, token: Token, nameWithOwner: string): Repository {
  const [owner = '', name = ''] = nameWithOwner.split('/');
  const repository = findRepository(world, owner, name) ?? findFormerRepository(world, owner, name);
  if (!repository || !repositoriesOfToken(world, token).includes(repository)) {
    throw refused('NOT_FOUND', `Could not resolve to a Repository with the name '${nameWithOwner}'.`);
  }
  if (!hasPermission(token.permissions, 'contents', 'write')) {
    throw refused('FORBIDDEN', 'Resource not accessible by integration');
  }
  if (repository.archived) throw refused('FORBIDDEN', 'Repository was archived so is read-only.');
  return repository;
}

async function readFiles({ directory }: Repository, { fileChanges, expectedHeadOid }: Input): Promise<Files> {
  const additions = fileChanges?.additions ?? [];
  const deletions = fileChanges?.deletions ?? [];
  for (const { path } of [...additions, ...deletions]) {
    if (isBadPath(path)) throw refused('UNPROCESSABLE', `A path was not valid: ${path}`);
  }
  const paths = [...additions, ...deletions].map(({ path }) => path);
  if (new Set(paths).size < paths.length) throw refused('UNPROCESSABLE', 'A path was given more than once.');
  for (const { path } of deletions) {
    const entry = await runGit(directory, ['ls-tree', '--name-only', expectedHeadOid, '--', path]);
    if (entry !== '') continue;
    const message = `A path was requested for deletion which does not exist as of commit oid \`${expectedHeadOid}\`: ${path}`;
    throw refused('UNPROCESSABLE', message);
  }
  return Object.fromEntries([
    ...deletions.map(({ path }) => [path, null]),
    ...additions.map(({ path, contents }) => [path, Buffer.from(contents, 'base64')]),
  ]);
}

const isBadPath = (path: string): boolean =>
  path.includes('\0') || path.split('/').some((part) => ['', '.', '..'].includes(part) || /^\.git$/i.test(part));

async function writeLooseCommit(
  directory: string,
  commit: Omit<Parameters<typeof writeCommit>[1], 'ref'>,
): Promise<string> {
  const ref = `refs/stand-in/${randomUUID()}`;
  const sha = await writeCommit(directory, { ...commit, ref });
  await runGit(directory, ['update-ref', '-d', ref]);
  return sha;
}

// Two spaces: https://github.com/ministryofjustice/modernisation-platform/issues/11985
const stale = (expected: string) =>
  refused('STALE_DATA', `Expected branch to point to "${expected}" but it did not.  Pull and try again.`);

const refused = (type: string, message: string) => new GraphqlError({ type, message });
