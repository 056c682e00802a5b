import type { ModelAnswer, Turn } from './model/model.ts';

/**
 * Where the turns of one run are kept. The loop holds no other state: whoever takes a run over goes on from `turns`.
 * Each method may throw `LeaseLost`, which goes through the loop as it is.
 */
export interface Journal {
  /** What is stored so far, in order. The last turn may have no answer (asked again) or no results (its tools run again). Never changed by the loop. */
  turns: readonly Turn[];
  /** Stores a new turn with its inputs (ours, then the messages that wait right now) and returns them all. */
  openTurn(index: number, inputs: string[]): Promise<string[]>;
  /** Stores the answer as soon as it is whole, so that it is never paid twice. */
  saveAnswer(index: number, answer: ModelAnswer): Promise<void>;
  /** Stores one result per tool call, in the order of the calls ([] for a text answer), together with what the tools wrote. */
  saveResults(index: number, results: NonNullable<Turn['results']>): Promise<void>;
}

/** Text from outside that PostgreSQL and git can hold: no NUL, no lone surrogates. https://www.postgresql.org/docs/current/datatype-json.html */
export const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');
