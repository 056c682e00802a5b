import { GitError, runGit } from './run-git.ts';
import { runPureGit } from './run-pure-git.ts';

export const zeroSha = '0'.repeat(40);

/** The commit of a branch, a full ref, a tag or a SHA; undefined when there is none. */
export async function findCommit(directory: string, revision: string): Promise<string | undefined> {
  try {
    return (
      await runGit(directory, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`])
    ).trim();
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

export const findBranch = (directory: string, branch: string): Promise<string | undefined> =>
  findCommit(directory, `refs/heads/${branch}`);

export async function listBranches(directory: string): Promise<{ name: string; sha: string }[]> {
  const output = await runGit(directory, ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads/']);
  return lines(output).map((line) => ({ sha: line.slice(0, 40), name: line.slice(41) }));
}

export async function isAncestor(
  directory: string,
  ancestor: string,
  descendant: string,
  environment: Record<string, string> = {},
): Promise<boolean> {
  try {
    const args = ['merge-base', '--is-ancestor', ancestor, descendant];
    // Objects of a push that is not accepted yet are only in its quarantine.
    if (Object.keys(environment).length > 0) await runGit(directory, args, { environment });
    else await runPureGit(directory, args, [ancestor, descendant]);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.status === 1) return false;
    throw error;
  }
}

export async function findMergeBase(directory: string, left: string, right: string): Promise<string | undefined> {
  try {
    return (await runPureGit(directory, ['merge-base', left, right], [left, right])).trim();
  } catch (error) {
    if (error instanceof GitError && error.status === 1) return undefined;
    throw error;
  }
}

export async function countCommits(directory: string, base: string, head: string): Promise<number> {
  return Number(await runPureGit(directory, ['rev-list', '--count', `${base}..${head}`], [base, head]));
}

export const lines = (output: string): string[] => output.split('\n').filter((line) => line !== '');

export interface CommitInfo {
  sha: string;
  tree: string;
  parents: string[];
  author: { name: string; email: string; date: string };
  committer: { name: string; email: string; date: string };
  message: string;
}

const format = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00');

/** The commits of a range (`base..head`, or one SHA with `-1`), oldest first. */
export async function readCommits(
  directory: string,
  range: string[],
  environment: Record<string, string> = {},
): Promise<CommitInfo[]> {
  const options = ['-z', '--reverse', '--topo-order', `--format=${format}%x00`];
  const output = await runGit(directory, ['log', ...options, ...range], { environment });
  const fields = output.split('\0');
  const commits: CommitInfo[] = [];
  // Each record has ten fields and ends with the separator that -z adds.
  for (let at = 0; at + 9 < fields.length; at += 11) {
    const [sha = '', tree = '', parents = '', an = '', ae = '', ad = '', cn = '', ce = '', cd = '', message = ''] =
      fields.slice(at, at + 10);
    commits.push({
      sha,
      tree,
      parents: parents.split(' ').filter((parent) => parent !== ''),
      author: { name: an, email: ae, date: inUtc(ad) },
      committer: { name: cn, email: ce, date: inUtc(cd) },
      message: message.replace(/\n$/, ''),
    });
  }
  return commits;
}

const inUtc = (date: string): string => new Date(date).toISOString().replace(/\.\d+Z$/, 'Z');
