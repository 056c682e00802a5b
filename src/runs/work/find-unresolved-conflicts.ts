import type { MergeConflict } from '../../workspace/merges/conflicts.ts';
import { findConflictMarkers } from '../../workspace/merges/conflicts.ts';
import type { Checkout } from '../checkout.ts';
import { escapeElements, oneLine } from '../escape-elements.ts';

interface UnresolvedConflicts {
  /** Files with conflict markers, which cannot be published. */
  marked: string[];
  /** The merge chose one version, and the agent has not changed it. That version may be right. */
  untouched: MergeConflict[];
}

export async function findUnresolvedConflicts({ workspace, base }: Checkout): Promise<UnresolvedConflicts> {
  const writes = workspace.writes();
  const marked = base.conflicts.filter(({ kind }) => kind === 'content').map(({ path }) => path);
  // A file that the agent moved or copied keeps its markers.
  const suspects = marked.length > 0 ? new Set([...marked, ...writes.keys()]) : [];
  return {
    marked: await findConflictMarkers(workspace, [...suspects]),
    untouched: base.conflicts.filter(({ kind, path }) => kind === 'other' && !writes.has(path)),
  };
}

/** People see only a few warnings of a run. */
const maxDescribed = 3;

export function writeUntouchedWarnings(untouched: readonly MergeConflict[]): string[] {
  const rest = untouched.slice(maxDescribed).map(({ path }) => path);
  return [
    ...untouched
      .slice(0, maxDescribed)
      .map(({ note }) => `${note} The agent did not change that. Check whether it is right.`),
    ...(rest.length > 0
      ? [`In ${rest.join(', ')}, the agent also kept the version that the merge chose. Check whether it is right.`]
      : []),
  ];
}

export const describeUntouched = ({ note }: MergeConflict): string =>
  `${escapeElements(oneLine(note))} You have not changed anything there. If that is right, say so in your summary.`;
