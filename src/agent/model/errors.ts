import { ExpectedError, ReasonedRefusal } from '../../errors.ts';

export type ModelRefusalReason = 'model_auth' | 'model_quota' | 'model_context' | 'model_refused' | 'model_invalid';

interface ModelRefusalFacts {
  reason: ModelRefusalReason;
  model: string;
  /** The server's own words: one line for people, without secrets. */
  words?: string | undefined;
  /** The field of the request that the server refuses and that cannot be left out. */
  needed?: string | undefined;
}

/** The model server rejects a request, and a retry would not help. */
export class ModelRefusal extends ReasonedRefusal<ModelRefusalFacts> {
  override readonly name = 'ModelRefusal';

  constructor(facts: ModelRefusalFacts, options?: ErrorOptions) {
    super(`the model server refused a request to ${facts.model}: ${facts.reason}`, facts, options);
  }
}

/** An incomplete or malformed answer; a retry may help. `code` is the server's, or our `answer_too_large`. */
export class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';
  readonly code: string | null;

  constructor(message: string, { code = null, cause }: { code?: string | null; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }
}

/** All retries failed: the model server may be down. The run is retried later. `detail` describes the last fault for people. */
export class ModelUnavailable extends ExpectedError {
  override readonly name = 'ModelUnavailable';
  readonly detail: string;

  constructor(detail: string, options?: ErrorOptions) {
    super(`could not get a usable answer from the model server: ${detail}`, options);
    this.detail = detail;
  }
}
