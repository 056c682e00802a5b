import type { Answer, Reply } from './dialect-server.ts';

/** A way in which servers differ, written by hand after public reports. */
export interface Bend {
  bend: string;
  answer: Answer;
  /** Requests until the end; 2 unless it is said. Only for runs that succeed. */
  asked?: number;
  /** How the run ends at once; otherwise it calls `echo` with "hi", and finishes with "done". */
  ends?: { code: string; words: RegExp };
  /** Of the base URL. */
  query?: string;
}

/** A server that always replies so, which ends the run. */
export const ending = (bend: string, reply: Reply, code: string, words: RegExp): Bend => ({
  bend,
  answer: () => reply,
  ends: { code, words },
});
