import type { Workspace } from '../workspace.ts';
import type { Stage } from './merge-trees.ts';

/** A path where the branch and the base do not fit. */
export interface MergeConflict {
  path: string;
  /** `content`: the file holds conflict markers. `other`: it holds one of the versions, or is gone, which the note says. */
  kind: 'content' | 'other';
  /** Only a person can solve it: the agent may not write there. */
  isProtected: boolean;
  /** One sentence for the agent. */
  note: string;
}

/** What the branch and the base each made of a path, and what the merged tree holds there; undefined: nothing. */
export interface ConflictSides {
  path: string;
  ancestor: Stage | undefined;
  ours: Stage | undefined;
  theirs: Stage | undefined;
  held: { mode: string; sha: string } | undefined;
}

/** Says what happened to a path and which version is there now. */
export function describeConflict({ path, ancestor, ours, theirs, held }: ConflictSides): string {
  const now = describeHeld({ ours, theirs, held });
  if (ours && theirs) {
    return `The branch and the base both changed ${path}, and it cannot be merged line by line; ${now}.`;
  }
  if (ancestor && ours) {
    return `The branch changed ${path} and the base removed it; ${now}.`;
  }
  if (ancestor && theirs) {
    return `The base changed ${path} and the branch removed it; ${now}.`;
  }
  if (ours ?? theirs) {
    const [one, other] = ours ? ['branch', 'base'] : ['base', 'branch'];
    return `The ${one} has ${path} under a name that does not fit with what the ${other} did; ${now}.`;
  }
  return `The branch and the base each moved ${path} to another place; ${now}.`;
}

function describeHeld({ ours, theirs, held }: Pick<ConflictSides, 'ours' | 'theirs' | 'held'>): string {
  if (held === undefined) {
    return 'there is nothing at that place now';
  }
  if (held.sha === ours?.sha) {
    return "the branch's version is there now";
  }
  return held.sha === theirs?.sha ? "the base's version is there now" : 'what git made of the two is there now';
}

/** The sentence for a file with conflict markers. */
export const describeMarkers = (path: string): string =>
  `The branch and the base both changed the same lines of ${path}: each place shows the branch's lines between <<<<<<< ${sideNames.tip} and =======, and the base's from there to >>>>>>> ${sideNames.base}; write what it should be and remove the marker lines.`;

/** The path of a file that git moved out of the way, as it was before. */
export const stripSide = (path: string, { tip, base }: { tip: string; base: string }): string =>
  path.replace(new RegExp(`~(?:${tip}|${base})$`), '');

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
