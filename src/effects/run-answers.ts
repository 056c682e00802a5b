import type { Message } from '../store/tables/jobs/messages.ts';
import { bound, firstLine } from '../text/bound.ts';
import type { OutgoingContext } from '../text/neutralize/addresses.ts';
import { neutralizeBounded } from '../text/neutralize/neutralize-markdown.ts';
import type { CommentAnswer, KeyedAnswer } from './answer.ts';

/** GitHub allows 65,536 characters in a comment. Neutralizing mentions and links adds some. */
const maxSummaryLength = 20_000;
const maxReplyLength = 5_000;
const maxDirectAnswers = 40;
const maxDirectLength = 20_000;
const maxChecksLength = 4_000;
const maxWarnings = 5;
const maxWarningLength = 500;
/** GitHub allows about 80 a minute: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
const maxReplies = 100;

interface AnsweredMessage {
  message_id: string;
  author: string;
  /** null: an answer names its author only. */
  prompt: string | null;
  context: Message['context'];
}

/** What a run tells people: its publication, and what became of it. */
export interface RunReport {
  runId: string;
  pullRequest: number;
  messages: readonly AnsweredMessage[];
  end: { outcome: 'completed' | 'failed' };
  /** The summary of the work, or why the run failed. */
  summary: string;
  /** The limit that ended the work. */
  limit?: string | null;
  replies?: readonly { message: string; text: string }[];
  /** Problems that did not fail the run. */
  warnings?: readonly string[] | undefined;
  /** What of the instructions the model did not see. */
  unseen?: string | null;
  /** The page of the pushed commit, even where the run failed after the push. */
  commitUrl?: string | undefined;
  /** The files of that commit. */
  changedPaths?: readonly string[] | undefined;
  /** The remaining problems of the checks, as Markdown. */
  leftChecks?: string | undefined;
  context: OutgoingContext;
}

export const threadId = (rootId: number) => `thread_${rootId}`;

/** A comment in the conversation, and a reply in each review thread of the run's messages. Deterministic. */
export function writeRunAnswers(report: RunReport): KeyedAnswer<CommentAnswer>[] {
  const { runId, pullRequest } = report;
  const comment = { kind: 'comment', pullRequest, body: writeComment(report) } as const;
  const replies = listRootIds(report)
    .slice(0, maxReplies)
    .map((rootId) => ({
      key: `${runId}:reply:${rootId}`,
      answer: { kind: 'reply', pullRequest, rootId, body: writeReply(report, rootId) } as const,
    }));
  return [{ key: `${runId}:comment`, answer: comment }, ...replies];
}

function writeComment(report: RunReport): string {
  const { end, summary, limit, commitUrl, leftChecks, warnings = [], unseen, context } = report;
  const threads = listRootIds(report).length;
  const notes = [
    ...[...warnings, ...(unseen ? [unseen] : [])]
      .slice(0, maxWarnings)
      .map((warning) => bound(warning, maxWarningLength)),
    ...(threads > maxReplies ? [`Only the first ${maxReplies} of ${threads} threads have a reply.`] : []),
  ];
  return [
    ...(limit ? [{ text: `**${limit}**` }] : []),
    { text: summary, maxLength: maxSummaryLength },
    ...writeDirectAnswers(report),
    ...(leftChecks ? [{ text: leftChecks, maxLength: maxChecksLength }] : []),
    ...notes.map((note) => ({ text: `**Note:** ${note}` })),
    ...(commitUrl
      ? [{ text: `${end.outcome === 'failed' ? 'Pushed before the failure' : 'Commit'}: ${commitUrl}` }]
      : []),
  ]
    .map(({ text, maxLength = 2 * maxWarningLength }: Part) => neutralizeBounded(text, maxLength, context))
    .join('\n\n');
}

interface Part {
  text: string;
  maxLength?: number;
}

function writeDirectAnswers({ messages, replies = [] }: RunReport): Part[] {
  const direct = replies.flatMap(({ message: messageId, text }) => {
    const message = messages.find(({ message_id }) => message_id === messageId);
    return message && !findOnlyThread(message) ? [{ message, text }] : [];
  });
  const shown = direct.slice(0, maxDirectAnswers);
  const maxLength = Math.min(maxReplyLength, maxDirectLength / shown.length);
  return shown.flatMap(({ message: { author, prompt }, text }) => [
    { text: `> ${[author, ...(prompt === null ? [] : [firstLine(prompt, 120)])].join(': ')}`, maxLength },
    { text, maxLength },
  ]);
}

function writeReply(report: RunReport, rootId: number): string {
  const { messages, replies = [], summary, end, commitUrl, changedPaths = [], context } = report;
  const threads = messages.flatMap(({ context: told }) => told?.review?.threads ?? []);
  const path = threads.find((thread) => thread.rootId === rootId)?.path;

  const names = [
    threadId(rootId),
    ...messages.filter((message) => findOnlyThread(message)?.rootId === rootId).map(({ message_id }) => message_id),
  ];
  const texts = replies.filter(({ message }) => names.includes(message)).map(({ text }) => text);
  const text =
    texts.length > 0
      ? texts.join('\n\n')
      : end.outcome === 'failed'
        ? `${unanswered}. ${summary}`
        : `${unanswered}. See the comment on the pull request.`;
  // A remark on a file that the commit leaves alone was answered by words.
  const isInCommit = texts.length > 0 && commitUrl !== undefined && path !== undefined && changedPaths.includes(path);
  return neutralizeBounded(text, maxReplyLength, context) + (isInCommit ? `\n\nCommit: ${commitUrl}` : '');
}

const unanswered = 'The agent did not answer this comment';

/** The thread in which a review of a single remark is answered. */
function findOnlyThread({ context }: AnsweredMessage) {
  const review = context?.review;
  return review && review.body === '' && review.threads.length === 1 ? review.threads[0] : undefined;
}

function listRootIds({ messages }: RunReport): number[] {
  const threads = messages.flatMap(({ context }) => context?.review?.threads ?? []);
  return [...new Set(threads.flatMap(({ rootId, isResolved }) => (isResolved ? [] : [rootId])))];
}
