/** The texts of a repository by path. */
export type Files = ReadonlyMap<string, string>;

/** The result of one task. */
export interface Outcome {
  /** The site without the faults that a task adds to it. */
  site: Files;
  /** The site that the agent found. */
  before: Files;
  /** The head of the pull request, or the base if there is none. */
  after: Files;
  /** The pull request at the end. */
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
  /** Where its pages say that they rest: paths of the code, or of the documentation. */
  evidence: readonly { page: string; path: string }[];
}

/** Returns the faults, in words for people; none if the result is right. Pure. */
export type Check = (outcome: Outcome) => string[];
