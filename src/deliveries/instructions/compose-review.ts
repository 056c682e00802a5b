import type { Thread } from '../../store/tables/schema.ts';
import type { ReadComment } from '../../text/read-comment.ts';

/** One remark of a review on a file, as it was when it was written. */
export interface Remark extends Required<Thread> {
  commentId: number;
}

export interface ReadReview {
  writtenAt: Date;
  body: string;
  remarks: Remark[];
}

export type ComposedReview =
  | { kind: 'nothing' }
  /** `commentIds` are those of the remarks that say it. */
  | { kind: 'stop'; commentIds: number[] }
  /** `body` and the threads hold what is for us; `commentIds` are those of the remarks that do. */
  | { kind: 'instruction'; prompt: string; body: string; threads: Thread[]; commentIds: number[] };

/** No run sees to more than these, and nobody reads as many replies. */
export const maxRemarks = 100;

/**
 * Makes one instruction of a review, or a stop if it says stop anywhere: work that was stopped by mistake is asked for again more cheaply
 * than undone. Where only mentions count, one in the review’s own text speaks for all of its remarks. Where remarks are left out, the
 * instruction says so.
 */
export function composeReview(
  { body, remarks }: ReadReview,
  { read, isAccepted }: { read: (text: string) => ReadComment; isAccepted: (read: ReadComment) => boolean },
): ComposedReview {
  const own = read(body);
  const parts = remarks.map((remark) => ({ remark, read: read(remark.text) }));
  const stops = parts.flatMap(({ remark, read }) => (read.kind === 'stop' ? [remark.commentId] : []));
  if (own.kind === 'stop' || stops.length > 0) return { kind: 'stop', commentIds: stops };

  const isOwnTaken = own.kind === 'instruction' && isAccepted(own);
  const wanted = parts.flatMap(({ remark, read }) =>
    read.kind === 'instruction' && (isOwnTaken || isAccepted(read)) ? [{ ...remark, text: read.text }] : [],
  );
  const taken = wanted.slice(0, maxRemarks);
  const cut = `(Of the ${wanted.length} remarks of this review only the first ${maxRemarks} are taken.)`;
  const said = own.kind === 'instruction' && isOwnTaken ? own.text : '';
  const text = [said, wanted.length > maxRemarks ? cut : ''].filter(Boolean).join('\n\n');
  if (text === '' && taken.length === 0) return { kind: 'nothing' };
  return {
    kind: 'instruction',
    body: text,
    prompt: [text, ...taken.map(writeRemark)].filter(Boolean).join('\n\n'),
    threads: taken.map(({ commentId: _, ...thread }) => thread),
    commentIds: taken.map(({ commentId }) => commentId),
  };
}

/** As people read it. */
function writeRemark({ path, startLine, line, text }: Remark): string {
  const lines = startLine === null ? line : `${startLine}-${line}`;
  return `${path}${line === null ? '' : `:${lines}`}: ${text}`;
}

const excerptLines = 6;

/** The end of a diff hunk, where the commented line is: https://docs.github.com/en/rest/pulls/comments */
export function cutExcerpt(diffHunk: string): string {
  return diffHunk.split('\n').slice(-excerptLines).join('\n');
}
