import type { LocalGitHub } from '../github/start-github.ts';
import type { PullRequest, Reaction } from '../github/state/world.ts';
import type { createCaller } from './caller.ts';
import { question, review } from './demo-script.ts';
import { print } from './print.ts';
import { findLine, readDiff } from './read-diff.ts';
import { waitFor } from './wait-for.ts';

const reviewer = 'rita';

/** Shows a review with remarks, then a question, and the replies. */
export async function showReview({
  github,
  repository: { fullName, gitDirectory },
  caller,
  job: { jobId, branch, number },
  signal,
}: {
  github: LocalGitHub;
  repository: { fullName: string; gitDirectory: string };
  caller: ReturnType<typeof createCaller>;
  job: { jobId: string; branch: string; number: number };
  signal: AbortSignal;
}): Promise<void> {
  const rita = github.asPerson(reviewer);
  const pullRequest = rita.listPullRequests(fullName).find((each) => each.number === number);
  if (!pullRequest) throw new Error(`could not find pull request ${number} of ${fullName}`);
  const { comments: said, reviewComments } = pullRequest;
  const until = (what: string, isReached: () => boolean) =>
    waitFor(async () => isReached() || undefined, { what, signal });

  print.heading('5. A review: Pagewright replies to each remark in its thread');
  const comments = await Promise.all(
    review.remarks.map(async ({ path, at, body }) => {
      const line = await findLine(gitDirectory, { branch, path, text: at });
      return { path, line, body };
    }),
  );
  print.comment(reviewer, 'reviewed', review.body);
  for (const { path, line, body } of comments) print.comment(reviewer, `on ${path}:${line}`, body);
  const runsBefore = (await caller.getRuns(jobId)).runs.length;
  await rita.review(fullName, number, { state: 'CHANGES_REQUESTED', body: review.body, comments });
  await until('the eyes reactions to the remarks', () => reviewComments.every(hasEyes));
  print.line('  👀 on both remarks');
  const { commit } = await caller.followRun(jobId, runsBefore + 1);
  for (const { author, path, line, body, inReplyToId } of reviewComments) {
    if (inReplyToId !== null) print.comment(author.login, `in the thread on ${path}:${line}`, withoutMarker(body));
  }
  showLastComment(pullRequest);
  if (commit !== null) print.diff(await readDiff(gitDirectory, { from: `${commit}^`, to: commit }));

  print.heading('6. A question in a comment: Pagewright replies with a comment');
  rita.comment(fullName, number, question);
  print.comment(reviewer, 'commented', question);
  await until('the eyes reaction to the question', () =>
    said.some((comment) => comment.body === question && hasEyes(comment)),
  );
  print.line('  👀 on the question');
  await caller.followRun(jobId, runsBefore + 2);
  showLastComment(pullRequest);
}

const hasEyes = ({ reactions }: { reactions: Reaction[] }): boolean =>
  reactions.some(({ content }) => content === 'eyes');

/** People do not see Pagewright's markers. */
const withoutMarker = (body: string): string => body.replace(/\s*<!--.*?-->\s*$/s, '');

function showLastComment({ comments }: PullRequest): void {
  const last = comments.at(-1);
  if (last) print.comment(last.author.login, 'commented', withoutMarker(last.body));
}
