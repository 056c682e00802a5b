/** The code of an error of Node.js, for a text. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

/** Whether it is an error of Node.js with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);

/** What the service lives with: an outage, a refusal, a stop. The log shows its causes, and no stack. */
export abstract class ExpectedError extends Error {
  readonly isExpected = true;
}

/** GitHub, git, a model server or a rule refuses: do not retry. Only `runs/` turns a refusal into the end of a run. */
export abstract class Refusal extends ExpectedError {}

/** `facts` are for code, `message` is for logs or people. */
export abstract class ReasonedRefusal<Facts extends { reason: string }> extends Refusal {
  readonly facts: Facts;

  constructor(message: string, facts: Facts, options?: ErrorOptions) {
    super(message, options);
    this.facts = facts;
  }

  get reason(): Facts['reason'] {
    return this.facts.reason;
  }
}

/** The run waits for an outside system: its job is released and due again at `until`. */
export class Parked extends ExpectedError {
  override readonly name = 'Parked';
  readonly until: Date;

  constructor(until: Date, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.until = until;
  }
}

/** Another worker holds the job, or it was archived: stop at once and write nothing more. */
export class LeaseLost extends ExpectedError {
  override readonly name = 'LeaseLost';
}

export class StopRequested extends ExpectedError {
  override readonly name = 'StopRequested';

  constructor() {
    super('the run was asked to stop');
  }
}

/** This process is shutting down: another worker continues the run. */
export class HandedOver extends ExpectedError {
  override readonly name = 'HandedOver';
}
