/** `arguments` is the model's JSON text, which may be invalid. */
export interface ToolCall {
  callId: string;
  name: string;
  arguments: string;
}

export interface ModelAnswer {
  text: string;
  toolCalls: ToolCall[];
  /**
   * The provider's items (reasoning, calls, text), sent back unchanged with the next request. Each is a JSON string, so that no store can
   * reorder its keys. When empty, the answer is rebuilt from text and calls.
   */
  items: unknown[];
  usage: { tokensIn: number; tokensOut: number; tokensCached: number };
  /** `length`: cut off by the output limit; the last tool call may be invalid. */
  stop: 'end' | 'length';
}

/** One model request and its tool calls. `answer` and `results` are null until they exist. */
export interface Turn {
  /** Plain texts for the model: messages, problems, nudges. */
  inputs: string[];
  answer: ModelAnswer | null;
  results: { callId: string; output: string; isError: boolean }[] | null;
}

export interface ModelRequest {
  /** The system prompt, constant during a run. */
  instructions: string;
  /** All turns; the last one has no answer yet. */
  turns: Turn[];
  tools: { name: string; description: string; parameters: Record<string, unknown> }[];
  /** The key of the provider's prompt cache: the same for all requests of a job. */
  cacheKey: string;
}

/**
 * A model server. `respond` returns a whole answer and retries passing faults. Throws `ModelRefusal` when the run cannot continue, `Parked`
 * when the server asks for a long wait, `ModelUnavailable` when all retries fail, and the reasons of the signals when aborted.
 *
 * After `signal` aborts, it neither retries nor waits. A running request, which is already paid for, continues until `grace` aborts (default:
 * `signal`).
 */
export interface Model {
  respond(request: ModelRequest, signal: AbortSignal, grace?: AbortSignal): Promise<ModelAnswer>;
}
