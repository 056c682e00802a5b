import type { ReasoningEffort } from 'openai/resources/shared';
import type { Tokens } from '../../config/prices.ts';
import type { Fields } from '../json.ts';

/** `arguments` is the model's JSON text, which may be invalid. */
export interface ToolCall {
  callId: string;
  name: string;
  arguments: string;
}

/** `data` in base64. */
export interface TurnImage {
  mediaType: string;
  data: string;
}

export interface ModelAnswer {
  text: string;
  toolCalls: ToolCall[];
  /** The provider's items as JSON strings, sent back unchanged. When empty, the answer is rebuilt from text and calls. */
  items: unknown[];
  usage: Tokens;
  /** `length`: cut off by the output limit; the last tool call may be invalid. */
  stop: 'end' | 'length';
  /** Why the server refuses images, in its words: the model saw none of them. */
  imagesRefused?: string;
}

/** One model request and its tool calls. `answer` and `results` are null until they exist. */
export interface Turn {
  /** Plain texts for the model: messages, problems, nudges. */
  inputs: string[];
  /** Follow the inputs. */
  images?: readonly TurnImage[];
  answer: ModelAnswer | null;
  results: { callId: string; output: string; isError: boolean }[] | null;
  /** Compacted before the request of the turn with this index. */
  compactedFor?: number | null;
}

export interface ModelRequest {
  instructions: string;
  turns: Turn[];
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
  /** The key of the provider's prompt cache: the same for all requests of a job. */
  cacheKey: string;
}

/**
 * Retries passing faults. Throws `ModelRefusal` when the run cannot continue, `Parked` when the server asks for a long wait,
 * `ModelUnavailable` when all retries fail, and the signals' reasons. After `signal` aborts, a running request continues until `grace` aborts.
 */
export interface Model {
  respond(request: ModelRequest, signal: AbortSignal, grace?: AbortSignal): Promise<ModelAnswer>;
}

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
