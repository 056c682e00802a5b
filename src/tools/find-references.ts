import { type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { References } from '../docs/questions/find-references.ts';
import type { ReadableFiles } from '../workspace/workspace.ts';
import { findPlace } from './other-repositories.ts';
import { describeUnread } from './output/describe-unread.ts';
import { joinRows } from './output/join-rows.ts';
import { listNames } from './output/list-names.ts';
import { showReferences } from './output/show-references.ts';
import type { ToolParts } from './tool-parts.ts';

/** Shows what leads to a path, an address or an `#anchor`. */
export async function answerReferences(
  { workspace, limits, docs, others }: ToolParts,
  target: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const place = await findPlace({ workspace, others }, target, signal);
  if (place.kind === 'refused') return toolError(place.reason);
  const repository = place.kind === 'there' ? place.repository : undefined;
  const found =
    place.kind === 'there'
      ? await place.repository.docs.ask('references', { target: place.inside }, new Map(), { signal })
      : await docs.ask('references', { target }, workspace.writes(), { signal });
  const files = repository?.plainFiles ?? workspace;
  if (found === undefined) return toolError(describeUnread('search'));
  if (found.kind === 'unknown') {
    const hint = found.nearest === undefined ? '' : `; did you mean ${found.nearest}?`;
    return toolError(`there is no page, file, folder or address ${target.slice(0, 200)}${hint}`);
  }
  const rows = [
    ...(repository ? [`In ${repository.prefix}:`] : []),
    ...(await showReferences(files, found)),
    ...(await showNames(files, found, signal)),
  ];
  return toolOk(joinRows(rows, limits.maxCharacters, (rest) => `${rest} more lines`));
}

/** Shows what names a page without leading to it. */
async function showNames(
  files: ReadableFiles,
  found: Extract<References, { kind: 'found' }>,
  signal: AbortSignal,
): Promise<string[]> {
  const { path, addresses, anchor, translations, generated } = found;
  if (anchor !== '' || addresses.length === 0) return [];
  const shown = new Map(found.files.map(({ file, places }) => [file, places.map(({ line }) => line)]));
  const countKnown = (file: string, line: number) =>
    file === path ? Number.POSITIVE_INFINITY : (shown.get(file)?.filter((one) => one === line).length ?? 0);
  const lines = (await listNames(files, { path, addresses, translations, generated, countKnown }, signal)) ?? [];
  return lines.length === 0 ? [] : ['Also named, as text or in code:', ...lines];
}
