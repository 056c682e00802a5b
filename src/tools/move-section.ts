import { type ToolResult, toolError } from '../agent/tool.ts';
import { updateLinks } from './edits/update-links.ts';
import { answerUpdated } from './output/answer-updated.ts';
import { describeUnread } from './output/describe-unread.ts';
import { listNames } from './output/list-names.ts';
import type { ToolParts } from './tool-parts.ts';

const maxAnchors = 20;

/** Moves the section of a heading from one page to another, new or not. */
export async function moveOneSection(
  { workspace, limits, docs }: ToolParts,
  { from: path, to, heading, after }: { from: string; to: string; heading: string; after: string | undefined },
  signal: AbortSignal,
): Promise<ToolResult> {
  const found = await docs.ask('sectionMove', { path, heading, to, after }, workspace.writes(), { signal });
  if (found === undefined) return toolError(`nothing was moved: ${describeUnread('edit_file')}`);
  if (found.kind === 'refused') return toolError(`nothing was moved: ${found.reason}`);
  const { pages, first, last, line, written, notes, move, anchors } = found;
  // Together: the section must not be lost, nor stand on both pages.
  const result = await workspace.writeFiles(new Map(pages.map((page) => [page.path, page.text])));
  if (result.kind === 'refused') return toolError(`nothing was moved: ${result.reason}`);
  const done = `moved lines ${first}-${last} of ${path} to ${to}:${line}: ${written}`;
  const still = { from: path, to: path };
  const { rows, notUpdated, countKnown } = await updateLinks({
    workspace,
    move,
    path: still,
    exclude: undefined,
    signal,
  });
  const names = { ...move, path, addresses: found.addresses, anchors: anchors.slice(0, maxAnchors), countKnown };
  const named = (path === to ? [] : await listNames(workspace, names, signal)) ?? [];
  const others = named.length === 0 ? [] : ['Still named as text or in code, where nothing was updated:', ...named];
  return answerUpdated({ done, rows: [...notes, ...rows, ...others], notUpdated, limits });
}
