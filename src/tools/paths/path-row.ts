/** A file, or a folder (with a slash at its end) with what is said about its files. */
export interface PathRow {
  path: string;
  note?: string;
}
