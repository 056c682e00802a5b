import type { ReasoningEffort } from 'openai/resources/shared';
import type { ModelAnswer, ModelRequest, Turn } from './model.ts';

/** One of OpenAI's two protocols: writes requests and reads answers. */
export interface Protocol {
  path: '/responses' | '/chat/completions';
  /** The field of the conversation. */
  list: 'input' | 'messages';
  /** All other fields. A server may refuse each, and then lacks it. */
  writeFields(request: ModelRequest, settings: { model: string; reasoningEffort: ReasoningEffort }): Fields;
  /** The items before those of the turns. */
  writeLead(request: ModelRequest): readonly object[];
  /** Append-only: longer conversations start with exactly the items of shorter ones. */
  toItems(turn: Turn): readonly object[];
  createReader(): AnswerReader;
}

export type Fields = Record<string, unknown>;

/** Joins the events of one answer, or takes its only object. */
export interface AnswerReader {
  /** Returns whether the answer is complete, whatever follows. Throws `BrokenAnswer` for what no event is. */
  add(event: Fields): boolean;
  /** `isDone`: the server said that nothing follows. Throws `BrokenAnswer` when the answer is incomplete. */
  finish(isDone: boolean): ReadAnswer;
}

export interface ReadAnswer {
  answer: Omit<ModelAnswer, 'usage'>;
  /** null: the server reports none. */
  usage: ModelAnswer['usage'] | null;
  isRefused: boolean;
}
