import { z } from 'zod';

/** What GitHub answered: header names in lower case, `data` parsed when it is JSON. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  data: unknown;
}

/**
 * What became of a request that threw. `refused`: GitHub answered 4xx, so nothing was done. `lost`: no usable answer (network, time-out,
 * 5xx, a body that is cut off or of another shape than documented), so it may have been done. `unsent`: it never left, because of an error
 * of ours.
 */
export type Fate = { kind: 'refused'; answer: Answer } | { kind: 'lost' } | { kind: 'unsent' };

/** An answer came, but it is not whole, or not GitHub's: Octokit hands out a body that broke off as (part of) a string. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

const answerSchema = z.object({ status: z.number(), headers: z.record(z.string(), z.string()), data: z.unknown() });

/** Octokit's RequestError is recognised by its shape: several versions of its class are installed, and `instanceof` knows only one. */
export function readFate(error: unknown): Fate {
  if (error instanceof UnusableAnswer || error instanceof z.ZodError) return { kind: 'lost' };
  if (!(error instanceof Error && 'status' in error && typeof error.status === 'number')) return { kind: 'unsent' };
  const answer = answerSchema.safeParse('response' in error ? error.response : undefined);
  // Octokit gives a request without any answer the status 500, but no response.
  if (!answer.success || answer.data.status >= 500) return { kind: 'lost' };
  return { kind: 'refused', answer: answer.data };
}
