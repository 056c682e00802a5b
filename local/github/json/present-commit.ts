import type { FileChange } from '../git/diff-commits.ts';
import type { CommitInfo } from '../git/read-git.ts';
import type { Repository, World } from '../world.ts';
import { apiUrlOf, nodeId, webUrlOf } from './present.ts';

export function presentCommit(world: World, repository: Repository, commit: CommitInfo) {
  const url = `${apiUrlOf(world, repository)}/commits/${commit.sha}`;
  return {
    sha: commit.sha,
    node_id: nodeId('C', Number.parseInt(commit.sha.slice(0, 10), 16)),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${apiUrlOf(world, repository)}/git/trees/${commit.tree}` },
      url: `${apiUrlOf(world, repository)}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url,
    html_url: `${webUrlOf(world, repository)}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    author: null,
    committer: null,
    parents: commit.parents.map((sha) => ({ sha, url: `${apiUrlOf(world, repository)}/commits/${sha}` })),
  };
}

/** A commit as push events list it. */
export const presentPushedCommit = (world: World, repository: Repository, commit: CommitInfo, files: FileChange[]) => ({
  id: commit.sha,
  tree_id: commit.tree,
  distinct: true,
  message: commit.message,
  timestamp: commit.committer.date,
  url: `${webUrlOf(world, repository)}/commit/${commit.sha}`,
  author: { name: commit.author.name, email: commit.author.email },
  committer: { name: commit.committer.name, email: commit.committer.email },
  added: files.filter(({ status }) => status === 'added').map(({ path }) => path),
  removed: files.filter(({ status }) => status === 'removed').map(({ path }) => path),
  modified: files.filter(({ status }) => status !== 'added' && status !== 'removed').map(({ path }) => path),
});

export const presentFile = (world: World, repository: Repository, headSha: string, file: FileChange) => ({
  sha: file.blobSha,
  filename: file.path,
  status: file.status,
  additions: file.additions,
  deletions: file.deletions,
  changes: file.additions + file.deletions,
  blob_url: `${webUrlOf(world, repository)}/blob/${headSha}/${encodeURI(file.path)}`,
  raw_url: `${webUrlOf(world, repository)}/raw/${headSha}/${encodeURI(file.path)}`,
  contents_url: `${apiUrlOf(world, repository)}/contents/${encodeURI(file.path)}?ref=${headSha}`,
  ...(file.patch === null ? {} : { patch: file.patch }),
  ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
});
