import type { ModelAnswer, Turn, TurnImage } from './model/model.ts';

/** Stores the turns of one run, which are the whole state of the loop: a takeover continues from `turns`. Methods may throw `LeaseLost`. */
export interface Journal {
  /** The stored turns, in order. The last one may lack its answer (the request is repeated) or its results (its tools run again). */
  turns: readonly Turn[];
  /** Stores a new turn with `inputs` and the waiting messages, and returns all of them, with the messages' images. */
  openTurn(index: number, inputs: string[]): Promise<{ inputs: string[]; images: readonly TurnImage[] }>;
  /** Stores the whole answer, so that no request is paid twice. */
  saveAnswer(index: number, answer: ModelAnswer): Promise<void>;
  /** Replaces turns, by index, in one step: all of them or none. */
  compact(turns: ReadonlyMap<number, Turn>): Promise<void>;
  /** Stores one result per tool call, in call order ([] for a text answer), together with the files that the tools wrote. */
  saveResults(index: number, results: NonNullable<Turn['results']>): Promise<void>;
}

/** Removes what PostgreSQL and git cannot store: NUL and lone surrogates. https://www.postgresql.org/docs/current/datatype-json.html */
export const storableText = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD');
