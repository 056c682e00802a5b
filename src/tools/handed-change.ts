/** A pull request that was handed over with an instruction. */
export interface HandedChange {
  /** `acme/api#12`. */
  reference: string;
  title: string;
  body: string;
  author: string;
  state: string;
  files: readonly HandedFile[];
  /** Files beyond those. */
  more: number;
}

export interface HandedFile {
  path: string;
  previousPath: string | null;
  status: string;
  additions: number;
  deletions: number;
  patch: string | null;
}
