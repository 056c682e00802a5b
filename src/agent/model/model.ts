/** One call the model asked for; `arguments` is its own JSON text, which may be broken. */
export interface ToolCall {
  callId: string;
  name: string;
  arguments: string;
}

/** What a model answered in one turn, in our own shape; stored whole, so that no request is paid twice. */
export interface ModelAnswer {
  text: string;
  toolCalls: ToolCall[];
  /**
   * The provider's own items (reasoning, calls, text), sent back word for word in the next turn's input. Opaque to us: each is a string
   * of JSON, so that whatever keeps it cannot reorder an object's keys. Empty is fine: the answer is then rebuilt from text and calls.
   */
  items: unknown[];
  usage: { tokensIn: number; tokensOut: number; tokensCached: number };
  /** `length`: cut off by the output limit, so the last tool call may be broken. */
  stop: 'end' | 'length';
}

/** One model request and the tool calls it made. `answer` and `results` are null until they exist. */
export interface Turn {
  /** What is told to the model before it answers: messages, problems, nudges. Plain text, in order. */
  inputs: string[];
  answer: ModelAnswer | null;
  results: { callId: string; output: string; isError: boolean }[] | null;
}

export interface ModelRequest {
  /** The system prompt: the same for every turn of a run. */
  instructions: string;
  /** Every turn so far, the last one with inputs (or results of the one before) and no answer. */
  turns: Turn[];
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
  /** The same for all requests of a job, so that the provider's prompt cache is found again. */
  cacheKey: string;
}

/**
 * A model server. `respond` resolves with a whole answer. It throws `ModelRefusal` (`model_quota`, `model_refused`, `model_context`,
 * `model_auth`, `model_invalid`) when the run cannot go on, `Parked` when the server asks for a longer wait than is worth holding a slot
 * for, `ModelUnavailable` when it gives no usable answer, and the signals' reasons when aborted. Passing faults are retried inside and
 * nowhere else.
 *
 * Once `signal` aborts, nothing more is asked or waited for. A request that is under way then is ended only by `grace`: its answer is paid
 * for, so it still resolves. Without `grace` the signal ends it as well.
 */
export interface Model {
  respond(request: ModelRequest, signal: AbortSignal, grace?: AbortSignal): Promise<ModelAnswer>;
}
