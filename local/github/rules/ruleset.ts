export interface Rule {
  type: string;
  parameters?: Record<string, unknown>;
}

/** https://docs.github.com/en/rest/repos/rules */
export interface Ruleset {
  id: number;
  /** A branch or a pattern, also for branches that do not exist yet. */
  pattern: string;
  rules: Rule[];
  /** Whether the App is on the bypass list. */
  canBypass: boolean;
  createdAt: string;
}
