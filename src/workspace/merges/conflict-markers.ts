import type { Workspace } from '../workspace.ts';

/** What the two sides are called in a file's conflict markers, and behind the names of files that are in the way. */
export const sideNames = { tip: 'branch', base: 'base' } as const;

/**
 * Calls the two sides by name where git wrote their SHAs into a file with conflict markers. Undefined when there is no such marker in it.
 * Line ends stay as they are.
 */
export function renameMarkers(text: string, { tip, base }: { tip: string; base: string }): string | undefined {
  // Behind a colon: the path on that side, where one of them renamed the file.
  const markers = new RegExp(`^(?:(<{7} )${tip}|(>{7} )${base})(?=(?::.*)?\\r?$)`, 'gm');
  const renamed = text.replace(markers, (_, left?: string) =>
    left === undefined ? `>>>>>>> ${sideNames.base}` : `<<<<<<< ${sideNames.tip}`,
  );
  return renamed === text ? undefined : renamed;
}

/**
 * Which of these files of a workspace that was opened on a merge still hold a conflict marker. One that is too large to be read counts:
 * fails closed. What was removed, or is not text, holds none. A `=======` alone does not count: it underlines headings.
 */
export async function findConflictMarkers(
  workspace: Pick<Workspace, 'readFile'>,
  paths: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const file = await workspace.readFile(path);
    if (file.kind === 'too_large' || (file.kind === 'text' && hasMarkers(file.text))) {
      found.push(path);
    }
  }
  return found;
}

// By our names for the sides, so that a page about git may show what a conflict looks like.
const hasMarkers = (text: string): boolean =>
  new RegExp(`^(?:<{7} ${sideNames.tip}|>{7} ${sideNames.base})(?::.*)?\\r?$`, 'm').test(text);
