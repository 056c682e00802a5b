export const fileStatuses = ['added', 'removed', 'modified', 'renamed', 'copied', 'changed', 'unchanged'] as const;

/** As GitHub's API shows a changed file. `patch` has the hunks without git's header lines. */
export interface ChangedFile {
  path: string;
  /** The path before it was renamed. */
  previousPath: string | null;
  status: (typeof fileStatuses)[number];
}

export interface FileDiff extends ChangedFile {
  additions: number;
  deletions: number;
  /** null: binary, without a change of content, or left out because it is long. */
  patch: string | null;
}
