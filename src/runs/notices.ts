import type { MergeConflict } from '../workspace/merges/conflicts.ts';
import { escapeElements, listPaths, oneLine } from './escape-elements.ts';

/** For the agent when others changed the same files and the changes conflict. */
export function writeConflict(options: {
  lost: string[];
  kept: string[];
  conflicts: readonly MergeConflict[];
}): string {
  const { lost, kept, conflicts } = options;
  return [
    'While you worked, somebody changed the same files, and the changes conflict. Your files have their changes now.',
    ...(lost.length > 0
      ? [`Your changes to these files were not kept; they have the others’ version:\n${listPaths(lost)}`]
      : []),
    ...(kept.length > 0 ? [`Your changes to these files were kept:\n${listPaths(kept)}`] : []),
    ...writeNotes(conflicts),
    'Read the files again, make your changes on top of theirs without undoing them, and call finish.',
  ].join('\n');
}

/** For the agent when the base branch was merged into its files, with conflicts. */
export function writeMergeNotice({ base, conflicts }: { base: string; conflicts: readonly MergeConflict[] }): string {
  return [
    `The branch ${escapeElements(base)} has moved, and this pull request no longer merges into it. It is merged into your files now; resolve these conflicts, in addition to your instructions:`,
    ...writeNotes(conflicts),
    'Keep what both sides meant. Where they contradict each other, your instructions decide, then the newer version on the base; say in your summary how you resolved the conflicts.',
  ].join('\n');
}

const writeNotes = (conflicts: readonly MergeConflict[]) =>
  conflicts.map(({ note }) => `- ${escapeElements(oneLine(note))}`);

/** For the agent when the base branch conflicts and cannot be merged into its files. */
export function writeNoMergeNotice(options: { base: string; paths: readonly string[]; why: string }): string {
  const { base, paths, why } = options;
  return `The branch ${escapeElements(base)} has moved, and this pull request no longer merges into it. The conflicts cannot be resolved here, because ${why}. They are in:\n${listPaths(paths)}\nFollow your instructions, and say in your summary that a person has to merge ${escapeElements(base)} into the branch, and why.`;
}
