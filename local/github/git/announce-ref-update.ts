import { webUrlOf } from '../json/present.ts';
import { presentPushedCommit } from '../json/present-commit.ts';
import { announcePullRequest } from '../pulls/announce-pull-request.ts';
import { closePullRequest, markMerged } from '../pulls/close-pull-request.ts';
import { keepHead } from '../pulls/create-pull-request.ts';
import { editPullRequest } from '../pulls/edit-pull-request.ts';
import type { Account } from '../state/account.ts';
import type { PullRequest, Repository } from '../state/world.ts';
import { diffCommits } from './diff-commits.ts';
import { countCommits, findBranch, isAncestor, readCommits, zeroSha } from './read-git.ts';

/** The zero SHA stands for a ref that does not exist before or after. */
export interface RefUpdate {
  ref: string;
  before: string;
  after: string;
}

/** Sends the events of a moved ref, and updates its pull requests. */
export async function announceRefUpdate(repository: Repository, update: RefUpdate, pusher: Account): Promise<void> {
  const { world } = repository;
  const { ref, before, after } = update;
  const [, refType = '', name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? [];
  if (name === '') return;
  repository.pushedAt = world.timestamp();
  const short = { ref: name, ref_type: refType === 'heads' ? 'branch' : 'tag', pusher_type: 'user' };
  if (before === zeroSha) {
    const payload = { ...short, master_branch: repository.defaultBranch, description: null };
    world.send({ name: 'create', repository, sender: pusher, payload });
  }
  const payload = await describePush(repository, update, pusher);
  world.send({ name: 'push', repository, sender: pusher, payload });
  if (after === zeroSha) world.send({ name: 'delete', repository, sender: pusher, payload: short });
  if (refType !== 'heads') return;
  for (const pullRequest of repository.pullRequests.filter(({ state }) => state === 'open')) {
    if (pullRequest.headRef === name) await followHead(pullRequest, update, pusher);
    else if (pullRequest.baseRef === name) await followBase(pullRequest, update, pusher);
  }
}

async function followHead(pullRequest: PullRequest, { before }: RefUpdate, pusher: Account): Promise<void> {
  const { directory } = pullRequest.repository;
  // Another push may follow: the pull request shows the branch as it is now.
  const tip = await findBranch(directory, pullRequest.headRef);
  if (!tip) return closePullRequest(pullRequest, pusher);
  if (tip === pullRequest.headSha) return;
  const base = (await findBranch(directory, pullRequest.baseRef)) ?? pullRequest.baseSha;
  Object.assign(pullRequest, { headSha: tip, baseSha: base, updatedAt: pullRequest.repository.world.timestamp() });
  await keepHead(pullRequest);
  const extra = { before, after: tip };
  await announcePullRequest(pullRequest, { action: 'synchronize', sender: pusher, extra });
  // Nothing is left to merge, so GitHub closes it: https://github.com/wei/pull/issues/365
  if ((await countCommits(directory, base, tip)) === 0) await closePullRequest(pullRequest, pusher);
}

async function followBase(pullRequest: PullRequest, { after }: RefUpdate, pusher: Account): Promise<void> {
  if (after === zeroSha) {
    // https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/proposing-changes-to-your-work-with-pull-requests/about-branches#working-with-branches
    const merged = pullRequest.repository.pullRequests.findLast(
      ({ headRef, mergedAt }) => headRef === pullRequest.baseRef && mergedAt !== null,
    );
    if (!merged) return closePullRequest(pullRequest, pusher);
    return editPullRequest(pullRequest, { base: merged.baseRef }, pusher);
  }
  const isMerged = await isAncestor(pullRequest.repository.directory, pullRequest.headSha, after);
  pullRequest.baseSha = isMerged ? pullRequest.baseSha : after;
  if (isMerged) await markMerged(pullRequest, { mergeCommitSha: after, mergedBy: pusher });
}

/** A push event lists at most this many commits: https://docs.github.com/en/webhooks/webhook-events-and-payloads#push */
const mostCommits = 2048;

async function describePush(repository: Repository, { ref, before, after }: RefUpdate, pusher: Account) {
  const { directory } = repository;
  const created = before === zeroSha;
  const deleted = after === zeroSha;
  const isBranch = ref.startsWith('refs/heads/');
  // Applied to --branches, the pattern of --exclude must not begin with refs/heads.
  const name = ref.replace('refs/heads/', '');
  const range = created ? [after, '--not', `--exclude=${name}`, '--branches'] : [`${before}..${after}`];
  const found = deleted || !isBranch ? [] : await readCommits(directory, [`-${mostCommits}`, ...range]);
  const commits = await Promise.all(
    found.map(async (commit) => {
      const [parent] = commit.parents;
      const files = parent ? await diffCommits(directory, parent, commit.sha) : [];
      return presentPushedCommit(repository, commit, files);
    }),
  );
  return {
    ref,
    before,
    after,
    base_ref: null,
    created,
    deleted,
    forced: !created && !deleted && !(await isAncestor(directory, before, after)),
    compare: `${webUrlOf(repository)}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: pusher.login, email: `${pusher.id}+${pusher.login}@users.noreply.github.com` },
  };
}
