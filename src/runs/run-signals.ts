/** For how long the holder of a run may work; each is more patient than the one before. */
export interface RunSignals {
  /** Ends the work: aborts with `StopRequested`, with `HandedOver` to another worker, or with `LeaseLost`. */
  signal: AbortSignal;
  /** The same, but later when the run is handed over: an answer of the model that is under way is paid for, and waited for until then. */
  grace: AbortSignal;
  /** Aborts with `LeaseLost` only. What is being published goes on until then: half of it would be worse than a moment's delay. */
  lost: AbortSignal;
  /** The process is about to be gone, whatever the lease: not even a database that is away is waited for any more. */
  gone: AbortSignal;
}
