import {
  actionsApp,
  type CheckReport,
  createCheckRun,
  rerequestCheckRun,
  updateCheckRun,
} from './checks/check-runs.ts';
import { createStatus, deploy, type NewDeployment, type NewStatus } from './checks/statuses.ts';
import { announceRefUpdate } from './git/announce-ref-update.ts';
import { moveRef } from './git/merge-commits.ts';
import { noreplyOf } from './git/noreply.ts';
import { findBranch, zeroSha } from './git/read-git.ts';
import { runGit } from './git/run-git.ts';
import { type Files, writeCommit } from './git/write-commit.ts';
import { labelIssue, openIssue } from './issues/issues.ts';
import { createRelease, publishRelease } from './issues/releases.ts';
import { announcePullRequest } from './pulls/announce-pull-request.ts';
import { closePullRequest, reopenPullRequest } from './pulls/close-pull-request.ts';
import { createComment, deleteComment, editComment, findComment } from './pulls/comments.ts';
import { createPullRequest, type NewPullRequest, openFromFork } from './pulls/create-pull-request.ts';
import { editPullRequest, type PullRequestEdit } from './pulls/edit-pull-request.ts';
import { findConversation, findPullRequest } from './pulls/find-pull-request.ts';
import { mergePullRequest } from './pulls/merge-pull-request.ts';
import { deleteReviewComment, editReviewComment, findReviewComment } from './pulls/review-comments.ts';
import {
  dismissReview,
  editReview,
  type NewReview,
  type NewReviewComment,
  replyToReviewComment,
  submitReview,
} from './pulls/reviews.ts';
import type { Account } from './state/account.ts';
import type { CheckRun } from './state/checks.ts';
import { requireRepository } from './state/repositories.ts';
import { repositorySettings } from './state/repository-settings.ts';
import type { Issue, PullRequest, Release, ReviewComment, World } from './state/world.ts';

/**
 * A person at the web pages. Each function acts as the page does, with the events that GitHub sends; `repository` is
 * `owner/name`. It checks no permission: on github.com, too, a stranger can comment.
 */
export function createPerson(world: World, account: Account) {
  const at = (name: string) => requireRepository(world, name);

  const find = (name: string, number: number) => findPullRequest(at(name), number);

  const findReview = (name: string, number: number, reviewId: number) => {
    const pullRequest = find(name, number);
    const review = pullRequest.reviews.find(({ id }) => id === reviewId);
    if (!review) throw new Error(`could not find review ${reviewId} of ${name}#${number}`);
    return { pullRequest, review };
  };

  /** Changes a flag of an open pull request and sends its event. */
  const flip = async (name: string, number: number, change: Partial<PullRequest>, action: string) => {
    const pullRequest = find(name, number);
    Object.assign(pullRequest, change, { updatedAt: world.timestamp() });
    await announcePullRequest(pullRequest, { action, sender: account });
  };

  return {
    account,
    openPullRequest: (repository: string, pullRequest: NewPullRequest) =>
      createPullRequest(at(repository), pullRequest, account),
    /** Commits in the person's fork, and opens a pull request from there. */
    async openFromFork(name: string, { title, base, files }: { title: string; base: string; files: Files }) {
      const repository = at(name);
      const from = await findBranch(repository.directory, base);
      const ref = `refs/forks/${world.nextId()}`;
      const commit = { ref, files, message: title, author: noreplyOf(account), date: world.clock() };
      const sha = await writeCommit(repository.directory, { ...commit, ...(from ? { from } : {}) });
      return openFromFork(repository, { title, base, sha }, account);
    },
    /** Returns the SHA of the commit on the base. */
    mergePullRequest: (name: string, number: number, { method = 'merge' }: { method?: 'merge' | 'squash' } = {}) =>
      mergePullRequest(find(name, number), { mergedBy: account, method }),
    closePullRequest: (name: string, number: number) => closePullRequest(find(name, number), account),
    reopenPullRequest: (name: string, number: number) => reopenPullRequest(find(name, number), account),
    editPullRequest: (name: string, number: number, edit: PullRequestEdit) =>
      editPullRequest(find(name, number), edit, account),
    convertToDraft: (name: string, number: number) => flip(name, number, { draft: true }, 'converted_to_draft'),
    markReadyForReview: (name: string, number: number) => flip(name, number, { draft: false }, 'ready_for_review'),
    lockConversation: (name: string, number: number) => flip(name, number, { locked: true }, 'locked'),
    unlockConversation: (name: string, number: number) => flip(name, number, { locked: false }, 'unlocked'),
    comment: (name: string, number: number, body: string) =>
      createComment(findConversation(at(name), number), { body, author: account }),
    openIssue: (name: string, issue: { title: string; body?: string }) => openIssue(at(name), issue, account),
    labelIssue: (issue: Issue, label: string) => labelIssue(issue, label, account),
    createRelease: (name: string, release: Parameters<typeof createRelease>[1]) =>
      createRelease(at(name), release, account),
    publishRelease: (name: string, release: Release) => publishRelease(at(name), release, account),
    editComment: (name: string, commentId: number, body: string) =>
      editComment(findComment(at(name), commentId), body, account),
    deleteComment: (name: string, commentId: number) => deleteComment(findComment(at(name), commentId), account),
    review: (name: string, number: number, review: Omit<NewReview, 'author'>) =>
      submitReview(find(name, number), { ...review, author: account }),
    /** "Add single comment": GitHub wraps it in an empty review. */
    async commentOnLine(name: string, number: number, comment: NewReviewComment): Promise<ReviewComment> {
      const pullRequest = find(name, number);
      const { id } = await submitReview(pullRequest, { author: account, comments: [comment] });
      const made = pullRequest.reviewComments.find(({ reviewId }) => reviewId === id);
      if (!made) throw new Error(`could not find the comment of review ${id}`);
      return made;
    },
    editReview: (name: string, number: number, reviewId: number, body: string) =>
      editReview(findReview(name, number, reviewId), body, account),
    dismissReview: (name: string, number: number, reviewId: number) =>
      dismissReview(findReview(name, number, reviewId), account),
    editReviewComment: (name: string, commentId: number, body: string) =>
      editReviewComment(findReviewComment(at(name), commentId), body, account),
    deleteReviewComment: (name: string, commentId: number) =>
      deleteReviewComment(findReviewComment(at(name), commentId), account),
    /** `commentId`: the first comment of the thread. */
    resolveThread(name: string, commentId: number, isResolved = true): void {
      findReviewComment(at(name), commentId).comment.isResolved = isResolved;
    },
    replyToReviewComment: (name: string, number: number, commentId: number, body: string) =>
      replyToReviewComment(find(name, number), { commentId, body, author: account }),
    /** Commits to a branch as `git push` would, and creates a missing branch from the default branch. Returns the SHA. */
    async pushCommit(name: string, branch: string, files: Files, message: string): Promise<string> {
      const repository = at(name);
      const { directory, defaultBranch } = repository;
      const tip = await findBranch(directory, branch);
      const from = tip ?? (await findBranch(directory, defaultBranch));
      const author = noreplyOf(account);
      const ref = `refs/heads/${branch}`;
      const commit = { ref, files, message, author, date: world.clock(), ...(from ? { from } : {}) };
      const after = await writeCommit(directory, commit);
      await announceRefUpdate(repository, { ref, before: tip ?? zeroSha, after }, account);
      return after;
    },
    /** Moves a branch to any commit, as `git push --force` does. */
    async forcePush(name: string, branch: string, revision: string): Promise<void> {
      const repository = at(name);
      const { directory } = repository;
      const before = await findBranch(directory, branch);
      const after = (await runGit(directory, ['rev-parse', '--verify', `${revision}^{commit}`])).trim();
      const ref = `refs/heads/${branch}`;
      await moveRef(directory, ref, after, before ?? zeroSha);
      await announceRefUpdate(repository, { ref, before: before ?? zeroSha, after }, account);
    },
    async deleteBranch(name: string, branch: string): Promise<void> {
      const repository = at(name);
      const ref = `refs/heads/${branch}`;
      const before = await findBranch(repository.directory, branch);
      if (!before) throw new Error(`could not delete branch ${branch} of ${name}: there is none`);
      await runGit(repository.directory, ['update-ref', '-d', ref, before]);
      await announceRefUpdate(repository, { ref, before, after: zeroSha }, account);
    },
    /** As an App or a service that uses the person's token does. Returns the check run. */
    report(name: string, report: Omit<CheckReport, 'app'> & { app?: CheckRun['app'] }): CheckRun {
      const repository = at(name);
      return createCheckRun(repository, { app: actionsApp, ...report }, account);
    },
    finishCheck: (name: string, run: CheckRun, change: Partial<CheckReport>) =>
      updateCheckRun(at(name), run, change, account),
    rerunCheck: (name: string, run: CheckRun) => rerequestCheckRun(at(name), run, account),
    setStatus: (name: string, status: NewStatus) => createStatus(at(name), status, account),
    deploy: (name: string, deployment: NewDeployment) => deploy(at(name), deployment, account),
    listPullRequests: (name: string): readonly PullRequest[] => at(name).pullRequests,
    listChecks: (name: string): CheckRun[] => at(name).checkRuns,
    ...repositorySettings(world, account),
  };
}

export type LocalPerson = ReturnType<typeof createPerson>;
