import { z } from 'zod';
import { createTool, type Tool, type ToolResult, toolError, toolOk } from '../agent/tool.ts';
import type { References } from '../docs/questions/find-references.ts';
import type { RunTask } from '../threads/threads.ts';
import { describeClasses } from '../workspace/pathspecs.ts';
import type { NoSearchResult, SearchQuery } from '../workspace/search.ts';
import type { ReadableFiles } from '../workspace/workspace.ts';
import { describeUnread, missingTask } from './output/describe-missing.ts';
import { joinRows } from './output/limits.ts';
import { listNames } from './output/list-names.ts';
import { matchesTask, showCounts } from './output/show-matches.ts';
import { readTexts, showReferences } from './output/show-references.ts';
import { splitGlob } from './paths/plain-path.ts';
import { findPlace, type ToolParts } from './tool-parts.ts';

const maxContext = 5;

export const createSearchTool = (parts: ToolParts): Tool => {
  const { limits, runTask } = parts;
  return createTool({
    name: 'search',
    description:
      'Finds lines by a POSIX extended regular expression. references: what leads to the path, address or #anchor in pattern.',
    arguments: z.object({
      pattern: z.string(),
      path: z.string().optional(),
      glob: z.string().optional(),
      exclude: z.string().optional(),
      ignore_case: z.boolean().optional(),
      literal: z.boolean().optional(),
      context: z.number().int().min(0).optional(),
      output: z.enum(['lines', 'files', 'counts', 'references']).optional(),
    }),
    unlisted: ['glob', 'literal'],
    async execute(
      { ignore_case: ignoreCase, literal: isLiteral, context: around = 0, output = 'lines', ...written },
      signal,
    ) {
      if (output === 'references') return answerReferences(parts, written.pattern, signal);
      const context = Math.min(around, maxContext);
      const place = await findPlace(parts, written.path ?? '', signal);
      if (place.kind === 'refused') return toolError(place.reason);
      const { files } = place;
      const selection = splitGlob({ ...written, path: written.path && place.path }, files.listFiles());
      const query: SearchQuery = { ...selection, ignoreCase, isLiteral };
      const known = { files: files.listFiles(), runTask };
      if (output !== 'lines') {
        const counted = await files.countMatches(query, signal);
        if (counted.kind !== 'counts') return describeFailure(counted, known, signal);
        const shown = showCounts(counted, { output, limits });
        return counted.files.length > 0 ? shown : { ...shown, output: shown.output + describeClasses(query.glob) };
      }
      const found = await files.search(query, signal);
      if (found.kind !== 'matches') return describeFailure(found, known, signal);
      const isMany = found.isCut || found.matches.length >= limits.maxMatches;
      const counted = isMany ? await files.countMatches(query, signal) : undefined;
      const counts = counted?.kind === 'counts' ? counted : undefined;
      // With context, the lines around a match come from the file.
      const paths = context === 0 ? [] : found.matches.map(({ path }) => path);
      const texts = await readTexts(files, paths);
      const shown = await runTask(matchesTask, { ...found, counts, texts, context, limits }, signal);
      return toolOk(shown + (found.matches.length === 0 ? describeClasses(query.glob) : ''));
    },
  });
};

export async function describeFailure(
  result: NoSearchResult,
  { files, runTask }: { files: readonly string[]; runTask: RunTask },
  signal: AbortSignal,
): Promise<ToolResult> {
  switch (result.kind) {
    case 'missing':
      return toolError(await runTask(missingTask, { path: result.path, files, orFolder: true }, signal));
    case 'refused':
      return toolError(result.reason);
    case 'invalid_pattern':
      return toolError(`invalid pattern: ${result.reason}; literal: true takes it as text`);
    case 'too_slow':
      return toolError('the search timed out; use a simpler pattern, or search below one path');
  }
}

/** Shows what leads to a path, an address or an `#anchor`. */
async function answerReferences(parts: ToolParts, target: string, signal: AbortSignal): Promise<ToolResult> {
  const place = await findPlace(parts, target, signal);
  if (place.kind === 'refused') return toolError(place.reason);
  const { prefix, plainFiles, inside, docs, writes } = place;
  const found = await docs.ask('references', { target: inside }, writes(), { signal });
  if (found === undefined) return toolError(describeUnread('search'));
  if (found.kind === 'unknown') {
    const hint = found.nearest === undefined ? '' : `; did you mean ${found.nearest}?`;
    return toolError(`there is no page, file, folder or address ${target.slice(0, 200)}${hint}`);
  }
  const rows = [
    ...(prefix === '' ? [] : [`In ${prefix}:`]),
    ...(await showReferences(plainFiles, found)),
    ...(await showNames(plainFiles, found, signal)),
  ];
  return toolOk(joinRows(rows, parts.limits.maxCharacters));
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
  const lines = (await listNames(files, { path, addresses, translations, generated }, { countKnown, signal })) ?? [];
  return lines.length === 0 ? [] : ['Also named, as text or in code:', ...lines];
}
