/** A file, or a folder (with a slash at its end) with a note about its files. */
export interface PathRow {
  path: string;
  note?: string;
}
