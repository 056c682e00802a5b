interface Step {
  step: string;
  /** Undefined for `claim` and `process delivery`, which find their job. */
  jobId?: string;
  /** Undefined: the step has no effect on GitHub, or only records one. */
  effect?: string;
}

/** Wraps each step that must not be lost or repeated. Metrics time it; the chaos trials kill or freeze the process around it. */
export type TakeStep = <T>(at: Step, take: () => Promise<T>) => Promise<T>;

export const takeStepDirectly: TakeStep = (_at, take) => take();
