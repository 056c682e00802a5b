/**
 * Trying again would not help, because GitHub, git, a model server or a rule refuses. Each mechanism throws a type of its own, with a `reason`
 * and the facts; only `runs/` makes the end of a run of it.
 */
export abstract class Refusal extends Error {}

/** The run has to wait for something outside: its lease is given back and the job is due again at `until`. */
export class Parked extends Error {
  override readonly name = 'Parked';
  readonly until: Date;

  constructor(until: Date, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.until = until;
  }
}

/** Another worker holds the job, or it was archived: whoever sees this stops at once and does nothing more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Somebody asked the run to stop: it ends `cancelled`. */
export class StopRequested extends Error {
  override readonly name = 'StopRequested';
}

/** This process is going away: the run is given back as it stands, for another worker to go on. */
export class HandedOver extends Error {
  override readonly name = 'HandedOver';
}
