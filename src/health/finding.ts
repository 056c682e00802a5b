/** The result of one check: `detail` is the fact, `todo` the remedy. */
export type Finding =
  | { state: 'ok'; detail: string }
  | {
      state: 'warning' | 'broken';
      detail: string;
      todo: string;
      /** Repairs it if nothing can be lost, and returns a description of the repair. */
      fix?: () => Promise<string>;
    };

/** `find` throws if nothing can be known now, for example while GitHub is down. */
export interface HealthCheck<Part extends string = string> {
  part: Part;
  /** Says nothing of its own while this part is broken. */
  after?: string;
  find(signal: AbortSignal): Promise<Finding>;
}

export const ok = (detail: string): Finding => ({ state: 'ok', detail });
export const warning = (detail: string, todo: string): Finding => ({ state: 'warning', detail, todo });
export const broken = (detail: string, todo: string): Finding => ({ state: 'broken', detail, todo });
