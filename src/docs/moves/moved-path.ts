/** A file or folder that goes to another place. */
export interface PathMove {
  from: string;
  to: string;
  /** `to` is a page that stays as it is: `from` is deleted in favour of it. */
  isDeleted?: boolean;
}

/** The path after the move: the same, unless it is part of what moves. */
export function movedPath({ from, to }: PathMove, path: string): string {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? to + path.slice(from.length) : path;
}
