import type { FileChange } from '../git/diff-commits.ts';
import type { CommitInfo } from '../git/read-git.ts';
import type { Repository, World } from '../state/world.ts';
import { apiUrlOf, nodeId, presentAccount, webUrlOf } from './present.ts';

/** GitHub signs its own commits; the stand-in knows no other key. */
export function presentVerification(repository: Repository, commit: CommitInfo) {
  if (!repository.signedCommits.has(commit.sha)) {
    return { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };
  }
  const { author, committer, tree, parents, message, sha } = commit;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author.name} <${author.email}>`,
    `committer ${committer.name} <${committer.email}>`,
  ];
  return {
    verified: true,
    reason: 'valid',
    signature: `-----BEGIN PGP SIGNATURE-----\n\n${Buffer.from(sha).toString('base64')}\n-----END PGP SIGNATURE-----\n`,
    payload: `${lines.join('\n')}\n\n${message}`,
    verified_at: committer.date,
  };
}

/** A commit as `GET git/commits/{sha}` shows it. */
export function presentGitCommit(repository: Repository, commit: CommitInfo) {
  const url = apiUrlOf(repository);
  const webUrl = webUrlOf(repository);
  return {
    sha: commit.sha,
    node_id: commitNodeId(commit.sha),
    url: `${url}/git/commits/${commit.sha}`,
    html_url: `${webUrl}/commit/${commit.sha}`,
    author: commit.author,
    committer: commit.committer,
    tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${url}/git/commits/${sha}`,
      html_url: `${webUrl}/commit/${sha}`,
    })),
    verification: presentVerification(repository, commit),
  };
}

export const commitNodeId = (sha: string): string => nodeId('C', Number.parseInt(sha.slice(0, 10), 16));

/** Finds the account by the noreply address of a commit. */
function presentAuthor(world: World, { email }: { email: string }) {
  const [, id] = /^(\d+)\+.+@users\.noreply\.github\.com$/.exec(email) ?? [];
  const account = world.accounts.values().find((candidate) => String(candidate.id) === id);
  return account ? presentAccount(world, account) : null;
}

/** A commit as `GET commits/{ref}` and the lists show it. */
export function presentCommit(repository: Repository, commit: CommitInfo) {
  const url = `${apiUrlOf(repository)}/commits/${commit.sha}`;
  return {
    sha: commit.sha,
    node_id: commitNodeId(commit.sha),
    commit: {
      author: commit.author,
      committer: commit.committer,
      message: commit.message,
      tree: { sha: commit.tree, url: `${apiUrlOf(repository)}/git/trees/${commit.tree}` },
      url: `${apiUrlOf(repository)}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: presentVerification(repository, commit),
    },
    url,
    html_url: `${webUrlOf(repository)}/commit/${commit.sha}`,
    comments_url: `${url}/comments`,
    author: presentAuthor(repository.world, commit.author),
    committer: presentAuthor(repository.world, commit.committer),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${apiUrlOf(repository)}/commits/${sha}`,
      html_url: `${webUrlOf(repository)}/commit/${sha}`,
    })),
  };
}

/** A commit as push events list it. */
export const presentPushedCommit = (repository: Repository, commit: CommitInfo, files: FileChange[]) => ({
  id: commit.sha,
  tree_id: commit.tree,
  distinct: true,
  message: commit.message,
  timestamp: commit.committer.date,
  url: `${webUrlOf(repository)}/commit/${commit.sha}`,
  author: { name: commit.author.name, email: commit.author.email },
  committer: { name: commit.committer.name, email: commit.committer.email },
  added: files.filter(({ status }) => status === 'added').map(({ path }) => path),
  removed: files.filter(({ status }) => status === 'removed').map(({ path }) => path),
  modified: files.filter(({ status }) => status !== 'added' && status !== 'removed').map(({ path }) => path),
});

export const presentFile = (repository: Repository, headSha: string, file: FileChange) => ({
  sha: file.blobSha,
  filename: file.path,
  status: file.status,
  additions: file.additions,
  deletions: file.deletions,
  changes: file.additions + file.deletions,
  blob_url: `${webUrlOf(repository)}/blob/${headSha}/${encodeURI(file.path)}`,
  raw_url: `${webUrlOf(repository)}/raw/${headSha}/${encodeURI(file.path)}`,
  contents_url: `${apiUrlOf(repository)}/contents/${encodeURI(file.path)}?ref=${headSha}`,
  ...(file.patch === null ? {} : { patch: file.patch }),
  ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
});
