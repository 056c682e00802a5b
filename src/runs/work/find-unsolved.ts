import { findConflictMarkers, type MergeConflict } from '../../workspace/merges/conflicts.ts';
import type { Checkout } from '../prepare/open-checkout.ts';

/** What is left of the conflicts that merging the base into the branch brought. */
export interface Unsolved {
  /** Files that show where the two did not fit: they cannot be published. */
  marked: string[];
  /** Places that the merge settled for one version, and that the agent has not touched: that may be right, but nobody has said so. */
  untouched: MergeConflict[];
}

/** Looks at the files of a run as they are now. */
export async function findUnsolved({ workspace, ground }: Pick<Checkout, 'workspace' | 'ground'>): Promise<Unsolved> {
  const writes = workspace.writes();
  const marked = ground.conflicts.filter(({ kind }) => kind === 'content').map(({ path }) => path);
  // What the agent moved or copied has taken its markers along.
  const suspects = marked.length > 0 ? new Set([...marked, ...writes.keys()]) : [];
  return {
    marked: await findConflictMarkers(workspace, [...suspects]),
    untouched: ground.conflicts.filter(({ kind, path }) => kind === 'other' && !writes.has(path)),
  };
}

/** So many are described; people are shown only a few warnings of a run. */
const maxDescribed = 3;

/** What people are told of them, one sentence or two each. */
export function writeUntouchedWarnings(untouched: readonly MergeConflict[]): string[] {
  const rest = untouched.slice(maxDescribed).map(({ path }) => path);
  return [
    ...untouched.slice(0, maxDescribed).map(({ note }) => `${note} It was left at that: look whether it is right.`),
    ...(rest.length > 0 ? [`It was left at one version, too, in ${rest.join(', ')}: look whether it is right.`] : []),
  ];
}
