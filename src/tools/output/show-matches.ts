import { type ToolResult, toolOk } from '../../agent/tool.ts';
import type { ThreadTask } from '../../threads/threads.ts';
import type { CountResult, SearchMatch } from '../../workspace/search.ts';
import { excerptLine, firstRows, formatCount, joinRows, plural, type ToolLimits } from './limits.ts';

interface Found {
  matches: readonly SearchMatch[];
  isCut: boolean;
  /** Set if there are more matches than are shown. */
  counts: Counts | undefined;
  /** By path, for context. */
  texts: ReadonlyMap<string, string>;
  context: number;
  limits: ToolLimits;
}

const maxSmallCharacters = 64 * 1024;
const maxCountedFiles = 40;
/** Few lines are shown with a whole sentence, many only with the text around the match. */
const fewMatches = 20;
const maxFewCharacters = 400;
const maxManyCharacters = 160;

export const matchesTask: ThreadTask<Found, string> = {
  module: import.meta.url,
  work: showMatches,
  isSmall: ({ texts }) => [...texts.values()].reduce((sum, { length }) => sum + length, 0) <= maxSmallCharacters,
};

/** Lines around their matches, which are always visible; of too many, the files with their counts first. */
export function showMatches({ matches, isCut, counts, texts, context, limits }: Found): string {
  if (matches.length === 0) return isCut ? 'the matching lines are too long to show' : 'no matches';
  const total = counts?.files.reduce((sum, { lines }) => sum + lines, 0) ?? matches.length;
  const isMany = isCut || total > limits.maxMatches;
  const shown = matches.slice(0, isMany ? limits.maxFirstMatches : limits.maxMatches);
  const width = shown.length <= fewMatches ? maxFewCharacters : maxManyCharacters;
  const rows = [...Map.groupBy(shown, ({ path }) => path)].flatMap(([path, found]) => {
    const text = texts.get(path);
    return text === undefined ? showPlain(path, found, width) : showInContext(path, found, { text, context, width });
  });
  const join = (all: readonly string[]) => joinRows(all, limits.maxCharacters, `more lines. ${narrow}`);
  if (!isMany) return join(rows);
  const files = counts?.files.map(({ path, lines }) => `${path}: ${lines}`) ?? [];
  return join([
    `${counts === undefined ? 'More lines match than can be shown' : `${summarize(counts)} match`}. ${narrow}`,
    ...boundFiles(files, maxCountedFiles),
    `The first ${shown.length}:`,
    ...rows,
  ]);
}

/** The path once if it has several lines. */
function showPlain(path: string, matches: readonly SearchMatch[], width: number): string[] {
  const lines = matches.map(({ line, text, at }) => `${line}: ${excerptLine(text, at, width)}`);
  return lines.length === 1 ? [`${path}:${lines[0]}`] : [path, ...lines];
}

/** The path once, then its lines; `>` marks those that match. */
function showInContext(
  path: string,
  matches: readonly SearchMatch[],
  { text, context, width }: { text: string; context: number; width: number },
): string[] {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const matching = new Map(matches.map((match) => [match.line, match]));
  const wanted = new Set<number>();
  for (const { line } of matches) {
    for (let near = line - context; near <= line + context; near += 1) {
      if (near >= 1 && near <= lines.length) wanted.add(near);
    }
  }
  const sorted = [...wanted].toSorted((a, b) => a - b);
  return [
    path,
    ...sorted.flatMap((line, index) => [
      ...(index > 0 && line !== (sorted[index - 1] ?? 0) + 1 ? ['...'] : []),
      `${matching.has(line) ? '>' : ' '}${line}: ${excerptLine(lines[line - 1] ?? '', matching.get(line)?.at ?? 0, width)}`,
    ]),
  ];
}

type Counts = Extract<CountResult, { kind: 'counts' }>;

const narrow = 'Narrow with path, exclude or a longer pattern.';

/** The files of a search, or how many lines match in each. */
export function showCounts(
  counts: Counts,
  { output, limits }: { output: 'files' | 'counts'; limits: ToolLimits },
): ToolResult {
  if (counts.files.length === 0) return toolOk('no matches');
  const rows = counts.files.map(({ path, lines }) => (output === 'files' ? path : `${path}: ${formatCount(lines)}`));
  const all = [`${summarize(counts)}:`, ...boundFiles(rows, limits.maxFiles)];
  return toolOk(joinRows(all, limits.maxCharacters, `more files. ${narrow}`));
}

function summarize({ files, isCut }: Counts): string {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const least = isCut ? 'at least ' : '';
  return `${least}${plural(lines, 'line')} in ${plural(files.length, 'file')}`;
}

const boundFiles = (rows: readonly string[], maxRows: number) =>
  firstRows(rows, maxRows, (rest) => `${formatCount(rest)} more files. ${narrow}`);
