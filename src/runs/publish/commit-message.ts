import { bound, firstLine } from '../../text/bound.ts';
import type { OutgoingContext } from '../../text/neutralize/addresses.ts';
import { neutralizePlain } from '../../text/neutralize/neutralize-plain.ts';

/** GitHub folds the rest of a longer one. */
export const maxSubjectLength = 72;

export interface CoAuthor {
  name: string;
  email: string;
}

export const runTrailer = (runId: string) => `Pagewright-Run: ${runId}`;

export function writeCommitMessage({
  subject,
  summary,
  runId,
  coAuthors = [],
  context,
}: {
  subject: string;
  summary: string;
  runId: string;
  coAuthors?: CoAuthor[];
  context: OutgoingContext;
}): string {
  const body = bound(neutralizePlain(summary, context).trim(), 4_000);
  const credits = new Set(coAuthors.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`));
  const trailers = [runTrailer(runId), ...credits].join('\n');
  const title = firstLine(neutralizePlain(subject, context), maxSubjectLength);
  return [title, ...(body ? [body] : []), trailers].join('\n\n').concat('\n');
}
