import type { Thread } from '../../store/tables/columns.ts';
import type { ReadComment } from '../../text/read-visible.ts';

export interface Remark extends Required<Thread> {
  commentId: number;
}

export interface ReadReview {
  writtenAt: Date;
  body: string;
  remarks: Remark[];
}

type ComposedReview =
  | { kind: 'nothing' }
  /** `commentIds`: the remarks that are a stop. */
  | { kind: 'stop'; commentIds: number[] }
  /** `body` and `threads` have only the instructions to this App. */
  | { kind: 'instruction'; prompt: string; body: string; threads: Thread[]; commentIds: number[] };

export const maxRemarks = 100;

/** One instruction, or a stop if any part is one: repeating work is cheaper than undoing it. A mention in the body covers all remarks. */
export function composeReview(
  { body, remarks }: ReadReview,
  { read, isAccepted }: { read: (text: string) => ReadComment; isAccepted: (read: ReadComment) => boolean },
): ComposedReview {
  const summary = read(body);
  const parts = remarks.map((remark) => ({ remark, read: read(remark.text) }));
  const stops = parts.flatMap(({ remark, read }) => (read.kind === 'stop' ? [remark.commentId] : []));
  if (summary.kind === 'stop' || stops.length > 0) return { kind: 'stop', commentIds: stops };

  const isSummaryAccepted = summary.kind === 'instruction' && isAccepted(summary);
  const instructions = parts.flatMap(({ remark, read }) =>
    read.kind === 'instruction' && !remark.isResolved && (isSummaryAccepted || isAccepted(read))
      ? [{ ...remark, text: read.text }]
      : [],
  );
  const kept = instructions.slice(0, maxRemarks);
  const cut = `(This review has ${instructions.length} comments. Pagewright uses only the first ${maxRemarks}.)`;
  const overview = summary.kind === 'instruction' && isSummaryAccepted ? summary.text : '';
  const text = [overview, instructions.length > maxRemarks ? cut : ''].filter(Boolean).join('\n\n');
  if (text === '' && kept.length === 0) return { kind: 'nothing' };
  return {
    kind: 'instruction',
    body: text,
    prompt: [text, ...kept.map(writeRemark)].filter(Boolean).join('\n\n'),
    threads: kept.map(({ commentId: _, isResolved: __, ...thread }) => thread),
    commentIds: kept.map(({ commentId }) => commentId),
  };
}

function writeRemark({ path, startLine, line, text }: Remark): string {
  const lines = startLine === null ? line : `${startLine}-${line}`;
  return `${path}${line === null ? '' : `:${lines}`}: ${text}`;
}

const excerptLines = 6;

/** The end of a hunk has the commented line: https://docs.github.com/en/rest/pulls/comments */
export function cutExcerpt(diffHunk: string): string {
  return diffHunk.split('\n').slice(-excerptLines).join('\n');
}
