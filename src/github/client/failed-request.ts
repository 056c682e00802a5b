import { z } from 'zod';

/** GitHub's answer: header names in lower case, `data` parsed when it is JSON. */
export interface GitHubResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  data: unknown;
}

/** `refused`: a 4xx, so nothing was done. `lost`: no usable answer, so it may have been done. `unsent`: an internal error before sending. */
type Fate = { kind: 'refused'; answer: GitHubResponse } | { kind: 'lost' } | { kind: 'unsent' };

/** The answer is incomplete or not GitHub's: Octokit returns a truncated body as a string. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

const answerSchema = z.object({ status: z.number(), headers: z.record(z.string(), z.string()), data: z.unknown() });

const messageSchema = z.object({ message: z.string() });

/** What GitHub says of its refusal, as one short line; empty: nothing. */
export function readMessage({ data }: GitHubResponse): string {
  const message = messageSchema.safeParse(data).data?.message ?? '';
  return message.replace(/\p{C}+/gu, ' ').slice(0, 200);
}

/** Recognizes Octokit's RequestError by its shape: several versions of its class are installed. */
export function readFate(error: unknown): Fate {
  if (error instanceof UnusableAnswer || error instanceof z.ZodError) return { kind: 'lost' };
  if (!(error instanceof Error && 'status' in error && typeof error.status === 'number')) return { kind: 'unsent' };
  const answer = answerSchema.safeParse('response' in error ? error.response : undefined);
  // Octokit reports a request without an answer as status 500 without a response.
  if (!answer.success || answer.data.status >= 500) return { kind: 'lost' };
  return { kind: 'refused', answer: answer.data };
}

/**
 * Whether an answer to the App's JWT refuses the App itself. 404 with these words: no App has this id; any other 404 is about what was
 * asked for.
 */
export const isAboutApp = (answer: GitHubResponse): boolean =>
  answer.status === 401 || (answer.status === 404 && readMessage(answer).startsWith('Integration not found'));
