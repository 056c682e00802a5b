import type { LocalGitHub } from '../github/start-github.ts';
import type { createCaller } from './caller.ts';
import { question, review } from './demo-script.ts';
import { print } from './print.ts';
import { type Conversation, readConversation } from './read-conversation.ts';
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
  const { apiUrl } = github;
  const read = () => readConversation({ apiUrl, fullName, number, signal });
  const untilConversation = (what: string, isReached: (conversation: Conversation) => boolean) =>
    waitFor(
      async () => {
        const conversation = await read();
        return isReached(conversation) ? conversation : undefined;
      },
      { what, signal },
    );

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
  await untilConversation('the eyes reactions to the remarks', ({ reviewComments }) =>
    reviewComments.every(({ reactions }) => reactions.eyes > 0),
  );
  print.line('  👀 on both remarks');
  const { commit } = await caller.followRun(jobId, runsBefore + 1);
  const answered = await read();
  for (const { user, path, line, body, in_reply_to_id } of answered.reviewComments) {
    if (in_reply_to_id !== undefined) print.comment(user.login, `in the thread on ${path}:${line}`, body);
  }
  showLastComment(answered);
  if (commit !== null) print.diff(await readDiff(gitDirectory, { from: `${commit}^`, to: commit }));

  print.heading('6. A question in a comment: Pagewright replies with a comment');
  rita.comment(fullName, number, question);
  print.comment(reviewer, 'commented', question);
  await untilConversation('the eyes reaction to the question', ({ comments }) =>
    comments.some(({ body, reactions }) => body === question && reactions.eyes > 0),
  );
  print.line('  👀 on the question');
  await caller.followRun(jobId, runsBefore + 2);
  showLastComment(await read());
}

function showLastComment({ comments }: Conversation): void {
  const last = comments.at(-1);
  if (last) print.comment(last.user.login, 'commented', last.body);
}
