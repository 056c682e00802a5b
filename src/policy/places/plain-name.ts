/** A path as the most forgiving file system would read it. */
export const plainName = (path: string): string => path.normalize('NFKC').toLowerCase();
