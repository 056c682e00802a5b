/** A file or folder that goes to another place. */
export interface PathMove {
  from: string;
  to: string;
}

/** Where a path is after the move: the same, unless the move takes it along. */
export function movedPath({ from, to }: PathMove, path: string): string {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
}
