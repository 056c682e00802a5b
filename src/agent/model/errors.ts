import { Refusal } from '../../errors.ts';

export type ModelRefusalReason = 'model_auth' | 'model_quota' | 'model_context' | 'model_refused' | 'model_invalid';

/** The model server rejects a request, and a retry would not help. */
export class ModelRefusal extends Refusal {
  override readonly name = 'ModelRefusal';
  readonly reason: ModelRefusalReason;
  readonly model: string;

  constructor({ reason, model }: { reason: ModelRefusalReason; model: string }, options?: ErrorOptions) {
    super(`the model server refused a request to ${model}: ${reason}`, options);
    this.reason = reason;
    this.model = model;
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
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable';
  readonly detail: string;

  constructor(detail: string, options?: ErrorOptions) {
    super(`could not get a usable answer from the model server: ${detail}`, options);
    this.detail = detail;
  }
}
