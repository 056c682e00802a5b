/** One step of the story: something that either happened or did not when a process ends. */
export interface StepAt {
  /**
   * Of the worker and its runs: `claim`, `begin`, `fetch`, `open turn`, `ask model`, `store answer`, `store results`, `commit`, `freeze`,
   * then for each effect its kind (`branch`, `push`, `pull-request`, `comment`, `reply` …) and `record` with it, `end`. Of the queue: `process
   * delivery`, `give answer`, `record given answer`.
   */
  step: string;
  /** The job it is about, where that is known before it is taken. */
  jobId?: string;
  /** The kind of effect that it does; undefined: it does none, or only records one. */
  effect?: string;
}

/**
 * Takes a step. Every step that must not be lost or done twice is taken through this, so that it is measured, and so that a trial can end,
 * freeze or cut off a process right before and right after it, where the step is told its job.
 */
export type Around = <T>(at: StepAt, take: () => Promise<T>) => Promise<T>;

/** Takes each step and does nothing else. */
export const goStraight: Around = (_at, take) => take();
