import type { Workspace } from '../workspace.ts';
import { type Stage, sideNames } from './find-merge-conflicts.ts';

export interface MergeConflict {
  path: string;
  /** `content`: the file has conflict markers. `other`: it is one of the versions, or removed, as `note` says. */
  kind: 'content' | 'other';
  /** The agent may not write this path, so a person has to resolve it. */
  isProtected: boolean;
  note: string;
}

/** The versions of a path in the ancestor, the branch (`ours`), the base (`theirs`) and the merged tree; undefined: none. */
export interface ConflictSides {
  path: string;
  ancestor: Stage | undefined;
  ours: Stage | undefined;
  theirs: Stage | undefined;
  merged: { mode: string; sha: string } | undefined;
}

export function describeConflict(sides: ConflictSides): string {
  const { path, ancestor, ours, theirs } = sides;
  const now = describeMerged(sides);
  if (ours && theirs)
    return `The branch and the base both changed ${path}, and it cannot be merged line by line; ${now}.`;
  if (ancestor && ours) return `The branch changed ${path} and the base removed it; ${now}.`;
  if (ancestor && theirs) return `The base changed ${path} and the branch removed it; ${now}.`;
  if (ours ?? theirs) {
    const [one, other] = ours ? ['branch', 'base'] : ['base', 'branch'];
    return `The ${one} has ${path} at a path that conflicts with a change of the ${other}; ${now}.`;
  }
  return `The branch and the base each moved ${path} to a different path; ${now}.`;
}

function describeMerged({ ours, theirs, merged }: ConflictSides): string {
  if (merged === undefined) return 'the path has no file now';
  if (merged.sha === ours?.sha) return "the branch's version is kept";
  return merged.sha === theirs?.sha ? "the base's version is kept" : "git's merge of both versions is kept";
}

export const describeMarkers = (path: string): string =>
  `The branch and the base both changed the same lines of ${path}: each conflict shows the branch's lines between <<<<<<< ${sideNames.tip} and =======, then the base's lines up to >>>>>>> ${sideNames.base}; write the correct text and remove the marker lines.`;

/** Replaces the SHAs in conflict markers by the names of the sides, and keeps line ends. Undefined for a text without markers. */
export function renameMarkers(text: string, { tip, base }: { tip: string; base: string }): string | undefined {
  // After a rename, git appends a colon and the path on that side.
  const markers = new RegExp(`^(?:(<{7} )${tip}|(>{7} )${base})(?=(?::.*)?\\r?$)`, 'gm');
  const renamed = text.replace(markers, (_, left?: string) =>
    left === undefined ? `>>>>>>> ${sideNames.base}` : `<<<<<<< ${sideNames.tip}`,
  );
  return renamed === text ? undefined : renamed;
}

/** Fails closed: a file that is too large to read counts. A `=======` alone does not, because it underlines headings. */
export async function findConflictMarkers(
  workspace: { readFile: Workspace['readFile'] },
  paths: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const file = await workspace.readFile(path);
    if (file.kind === 'too_large' || (file.kind === 'text' && hasMarkers(file.text))) found.push(path);
  }
  return found;
}

// Only with our side names, so that a page about git may show a conflict.
const hasMarkers = (text: string): boolean =>
  new RegExp(`^(?:<{7} ${sideNames.tip}|>{7} ${sideNames.base})(?::.*)?\\r?$`, 'm').test(text);
