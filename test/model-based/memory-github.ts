import { randomUUID } from 'node:crypto';

export interface Writer {
  login: string;
  id: number;
  type: 'User' | 'Bot';
  /** Through which App the words came, if through one. */
  viaApp?: boolean;
}

export interface MemoryComment {
  id: number;
  pullRequest: number;
  writer: Writer;
  body: string;
  createdAt: Date;
  /** Only of a remark on a file. */
  reviewId: number | null;
  inReplyTo: number | null;
}

export interface MemoryReview {
  id: number;
  pullRequest: number;
  writer: Writer;
  body: string;
  submittedAt: Date;
}

export const toSeconds = (moment: Date) => `${moment.toISOString().slice(0, 19)}Z`;
const app = { id: 77 };

export const presentComment = ({ id, writer, body, createdAt }: MemoryComment) => ({
  id,
  body,
  html_url: `http://github.test/acme/docs/comment/${id}`,
  user: writer,
  created_at: toSeconds(createdAt),
  updated_at: toSeconds(createdAt),
  performed_via_github_app: writer.viaApp ? app : null,
});

export const presentRemark = (remark: MemoryComment) => ({
  ...presentComment(remark),
  pull_request_review_id: remark.reviewId,
  ...(remark.inReplyTo !== null && { in_reply_to_id: remark.inReplyTo }),
  path: 'limits.md',
  line: 3,
  diff_hunk: '@@ -1,3 +1,3 @@\n # Limits\n \n-60\n+100',
});

export const presentReview = ({ id, writer, body, submittedAt }: MemoryReview) => ({
  id,
  html_url: `http://github.test/acme/docs/review/${id}`,
  state: 'commented',
  body,
  user: writer,
  submitted_at: toSeconds(submittedAt),
});

export const ourLogin = 'pagewright-test[bot]';
export const installationId = 1001;

export interface MemoryPullRequest {
  number: number;
  branch: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
  state: 'open' | 'closed';
  merged: boolean;
  closedBy: Writer | null;
  updatedAt: Date;
}

/** What became of a pull request, in the order in which it did, whenever we hear of it. */
export type Fact = 'closed' | 'closed by us' | 'reopened';

export interface MemoryDelivery {
  id: string;
  name: string;
  payload: object;
}

/**
 * The conversations of one repository in memory, with GitHub's clock of whole seconds: what people do there, and the webhooks that tell
 * of it. `local/github` is the real stand-in; this one exists because a property wants hundreds of conversations in seconds.
 */
export function createMemoryGitHub(repositoryId: number) {
  const repository = {
    id: repositoryId,
    name: 'docs',
    full_name: 'acme/docs',
    owner: { login: 'acme', id: 1, type: 'Organization' },
    default_branch: 'main',
    private: true,
  };
  let now = Math.floor(Date.now() / 1000) * 1000;
  let lastId = 100;
  const pullRequests = new Map<number, MemoryPullRequest>();
  const comments: MemoryComment[] = [];
  const remarks: MemoryComment[] = [];
  const reviews: MemoryReview[] = [];
  const untold: MemoryDelivery[] = [];
  const facts: Fact[] = [];

  const clock = () => new Date(now);
  const nextId = () => {
    lastId += 1;
    return lastId;
  };
  const find = (number: number) => {
    const found = pullRequests.get(number);
    if (!found) throw new Error(`there is no pull request ${number}`);
    return found;
  };
  const tell = (name: string, action: string, sender: Writer, payload: object) =>
    untold.push({ id: randomUUID(), name, payload: { action, repository, sender, ...payload } });
  const tellOf = (action: string, sender: Writer, pullRequest: MemoryPullRequest) =>
    tell('pull_request', action, sender, { pull_request: present(pullRequest) });
  const present = (pullRequest: MemoryPullRequest) => ({
    number: pullRequest.number,
    node_id: `PR_${pullRequest.number}`,
    html_url: `http://github.test/acme/docs/pull/${pullRequest.number}`,
    state: pullRequest.state,
    merged: pullRequest.merged,
    merged_at: pullRequest.merged ? pullRequest.updatedAt.toISOString() : null,
    draft: pullRequest.draft,
    title: pullRequest.title,
    body: pullRequest.body,
    updated_at: toSeconds(pullRequest.updatedAt),
    head: { ref: pullRequest.branch, sha: 'f'.repeat(40), repo: { id: repositoryId } },
    base: { ref: pullRequest.base, repo: { id: repositoryId } },
  });

  function change(number: number, changes: Partial<MemoryPullRequest>): MemoryPullRequest {
    return Object.assign(find(number), changes, { updatedAt: clock() });
  }

  function comment(pullRequest: number, writer: Writer, body: string): MemoryComment {
    const { state } = change(pullRequest, {});
    const made = { id: nextId(), pullRequest, writer, body, createdAt: clock(), reviewId: null, inReplyTo: null };
    comments.push(made);
    const issue = { number: pullRequest, state, pull_request: {} };
    tell('issue_comment', 'created', writer, { issue, comment: presentComment(made) });
    return made;
  }

  return {
    repository,
    pullRequests,
    comments,
    remarks,
    reviews,
    reactions: new Set<string>(),
    /** What was pushed, oldest first. */
    pushes: [] as { name: string; isJobArchived: boolean }[],
    facts,
    /** Deliveries that were not sent yet, oldest first. */
    untold,
    find,
    present,
    /** Lets a second pass. */
    tick: () => {
      now += 1000;
    },
    open(wanted: Pick<MemoryPullRequest, 'branch' | 'base' | 'title' | 'body' | 'draft'>): MemoryPullRequest {
      const pullRequest: MemoryPullRequest = {
        ...wanted,
        number: nextId(),
        state: 'open',
        merged: false,
        closedBy: null,
        updatedAt: clock(),
      };
      pullRequests.set(pullRequest.number, pullRequest);
      return pullRequest;
    },
    edit: change,
    comment,
    close(number: number, writer: Writer, { merged = false } = {}): void {
      facts.push(writer.login === ourLogin ? 'closed by us' : 'closed');
      tellOf('closed', writer, change(number, { state: 'closed', merged, closedBy: writer }));
    },
    reopen(number: number, writer: Writer): void {
      facts.push('reopened');
      tellOf('reopened', writer, change(number, { state: 'open', closedBy: null }));
    },
    retarget: (number: number, writer: Writer, base: string) => tellOf('edited', writer, change(number, { base })),
    /** One delivery for the review, and one for each of its remarks. */
    review(
      number: number,
      writer: Writer,
      given: { body: string; remarks: string[]; inReplyTo?: number },
    ): MemoryReview {
      const pullRequest = change(number, {});
      const submittedAt = clock();
      const review = { id: nextId(), pullRequest: number, writer, body: given.body, submittedAt };
      reviews.push(review);
      const told = { review: presentReview(review), pull_request: present(pullRequest) };
      tell('pull_request_review', 'submitted', writer, told);
      for (const body of given.remarks) {
        const inReplyTo = given.inReplyTo ?? null;
        const made = {
          id: nextId(),
          pullRequest: number,
          writer,
          body,
          createdAt: submittedAt,
          reviewId: review.id,
          inReplyTo,
        };
        remarks.push(made);
        const about = { comment: presentRemark(made), pull_request: present(pullRequest) };
        tell('pull_request_review_comment', 'created', writer, about);
      }
      return review;
    },
    /** Our own reply in a thread. GitHub tells of it, as of everything. */
    reply(pullRequest: number, rootId: number, { writer, body }: { writer: Writer; body: string }): MemoryComment {
      const made = {
        id: nextId(),
        pullRequest,
        writer,
        body,
        createdAt: clock(),
        reviewId: nextId(),
        inReplyTo: rootId,
      };
      remarks.push(made);
      return made;
    },
  };
}

export type MemoryGitHub = ReturnType<typeof createMemoryGitHub>;
