/** The texts of a repository by path. */
export type Files = ReadonlyMap<string, string>;

/** What one task has become. */
export interface Outcome {
  /** The site without the faults that a task adds to it. */
  site: Files;
  /** What the agent found. */
  before: Files;
  /** The head of the pull request, or the base if there is none. */
  after: Files;
  /** As it stands in the end. */
  pullRequest: { title: string; body: string } | undefined;
  /** One per run, in order. */
  ends: readonly RunEnd[];
}

export interface RunEnd {
  /** `published`, `unchanged`, or why the run failed. */
  code: string;
  /** The summary, or the sentence of the failure. */
  answer: string;
  /** One per remark of the review that the run answers, in order. */
  replies: readonly (string | undefined)[];
}

/** Returns what is wrong, in words for people; nothing if it is right. Pure. */
export type Check = (outcome: Outcome) => string[];
