/** One step of the story: something that either happened or did not when a process ends. */
export interface Step {
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
 * Runs `take` as one step. Every step that must not be lost or done twice goes through this hook: metrics time it, and the chaos trials
 * kill, freeze or cut off the process right before or after it.
 */
export type TakeStep = <T>(at: Step, take: () => Promise<T>) => Promise<T>;

export const takeStepDirectly: TakeStep = (_at, take) => take();
