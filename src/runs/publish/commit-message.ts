import { bound, firstLine } from '../../text/bound.ts';
import type { OutgoingContext } from '../../text/neutralize/addresses.ts';
import { neutralizePlain } from '../../text/neutralize/neutralize-plain.ts';

/** GitHub folds the rest of a longer one. */
export const maxSubjectLength = 72;

/** As GitHub credits them. */
export interface Signature {
  name: string;
  email: string;
}

export const runTrailer = (runId: string) => `Pagewright-Run: ${runId}`;

export function writeCommitMessage(options: {
  subject: string;
  summary: string;
  runId: string;
  coAuthors?: Signature[];
  /** https://developercertificate.org asks for the author of the commit. */
  signedOffBy?: Signature | undefined;
  context: OutgoingContext;
}): string {
  const { subject, summary, runId, coAuthors = [], signedOffBy, context } = options;
  const body = bound(neutralizePlain(summary, context).trim(), 4_000);
  const credits = new Set(coAuthors.map((person) => `Co-authored-by: ${showSignature(person)}`));
  const signOff = signedOffBy ? [`Signed-off-by: ${showSignature(signedOffBy)}`] : [];
  const trailers = [runTrailer(runId), ...credits, ...signOff].join('\n');
  const title = firstLine(neutralizePlain(subject, context), maxSubjectLength);
  return [title, ...(body ? [body] : []), trailers].join('\n\n').concat('\n');
}

const showSignature = ({ name, email }: Signature) => `${name} <${email}>`;
