import { z } from 'zod';
import { createTool, type Tool, toolError, toolOk } from '../agent/tool.ts';
import { cutText } from '../text/bound.ts';
import { describeClasses, type FileSelection } from '../workspace/pathspecs.ts';
import { type ReplacedText, textsTask } from './edits/replace-occurrences.ts';
import { describeProtection } from './output/describe-updates.ts';
import { excerptLine, firstRows, joinRows, plural } from './output/limits.ts';
import { splitGlob } from './paths/plain-path.ts';
import { describeFailure } from './search.ts';
import type { ToolParts } from './tool-parts.ts';

/** All files together may have so many, so that one call cannot fill the memory. */
const maxCharacters = 32 * 1024 ** 2;
const maxRows = 40;
/** The lines of up to so many places are shown. */
const fewPlaces = 20;
const maxLeft = 12;
const maxOthers = 8;
const maxOtherCharacters = 120;

export function createReplaceTextTool({ workspace, limits, runTask }: ToolParts): Tool {
  /** Lines that hold the old words in another case, or with another mark between them. */
  async function listOtherSpellings(
    options: { oldText: string; newText: string; isWhole: boolean; selection: FileSelection },
    signal: AbortSignal,
  ): Promise<string[]> {
    const { oldText, newText, isWhole, selection } = options;
    const pattern = toSpellings(oldText, newText, isWhole);
    if (pattern === undefined) return [];
    const found = await workspace.search({ ...selection, pattern, ignoreCase: true }, signal);
    if (found.kind !== 'matches') return [];
    const lines = found.matches.filter(({ path }) => workspace.describeAccess(path).kind !== 'protected');
    if (lines.length === 0) return [];
    const rest = lines.length - maxOthers;
    return [
      'Other spellings are left:',
      ...lines
        .slice(0, maxOthers)
        .map(({ path, line, text, at }) => `${path}:${line}: ${excerptLine(text, at, maxOtherCharacters).trim()}`),
      ...(rest > 0 || found.isCut ? [`... and ${found.isCut ? 'more lines' : plural(rest, 'more line')}`] : []),
    ];
  }

  return createTool({
    name: 'replace_text',
    description: 'Replaces a text in all files; case counts. whole: not in a longer word or path.',
    arguments: z.object({
      old_text: z.string(),
      new_text: z.string(),
      path: z.string().optional(),
      glob: z.string().optional(),
      exclude: z.string().optional(),
      whole: z.boolean().optional(),
    }),
    unlisted: ['glob'],
    async execute({ old_text: oldText, new_text: newText, whole: isWhole = false, ...asked }, signal) {
      const selection = splitGlob(asked, workspace.listFiles());
      if (oldText === newText) return toolError('old_text and new_text are the same, so nothing would change');
      const line = longestLine(oldText);
      if (line.trim() === '') return toolError('old_text has nothing to search for; give a text that is visible');
      // One line of old_text finds the files: the pattern of a search is bounded.
      const pattern = cutText(line, 200);
      const found = await workspace.countMatches({ ...selection, pattern, isLiteral: true }, signal);
      if (found.kind !== 'counts') return describeFailure(found, { files: workspace.listFiles(), runTask }, signal);
      if (found.isCut) return toolError('too many files hold this text; narrow with path or a longer old_text');
      const isExact = pattern === oldText && !isWhole;
      const texts = new Map<string, string>();
      let left: LeftFile[] = [];
      let characters = 0;
      for (const { path, lines } of found.files) {
        signal.throwIfAborted();
        const reason = describeProtection(workspace.describeAccess(path), path);
        if (reason !== undefined) left.push({ path, lines, reason });
        const file = reason !== undefined && isExact ? undefined : await workspace.readFile(path);
        if (file?.kind === 'too_large') left.push({ path, lines, reason: 'too large to edit' });
        if (file?.kind !== 'text') continue;
        characters += file.text.length;
        if (characters > maxCharacters) {
          return toolError(
            `the files are too large together (${plural(found.files.length, 'file')}); narrow with path`,
          );
        }
        texts.set(path, file.text);
      }
      const input = { texts, oldText, newText, isWhole, maxCharacters: limits.maxFileCharacters };
      const replaced = await runTask(textsTask, input, signal);
      if (replaced.kind === 'too_large') return toolError(`${replaced.path} would be too long; nothing was changed`);
      const holders = new Set(replaced.files.map(({ path }) => path));
      left = left.filter(({ path }) => holders.has(path) || !texts.has(path));
      const files = replaced.files.filter(({ path }) => !left.some((each) => each.path === path));
      const listOthers = () => listOtherSpellings({ oldText, newText, isWhole, selection }, signal);
      if (files.length === 0)
        return toolError(
          [
            `no file that you may write holds old_text; nothing was changed${describeClasses(selection.glob)}`,
            ...showLeft(left),
            ...(await listOthers()),
          ].join('\n'),
        );
      const written = await workspace.writeFiles(new Map(files.map(({ path, text }) => [path, text])));
      if (written.kind === 'refused') {
        return toolError(
          `nothing was changed in ${plural(files.length, 'file')}, because one change is refused: ${written.reason}\nLeave that file out with exclude, or change the text`,
        );
      }
      const others = await listOthers();
      const answer = (rows: readonly string[]) =>
        joinRows([...rows, ...showFiles(files), ...others], limits.maxCharacters, 'more files');
      if (left.length === 0) return toolOk(answer([]));
      return toolError(answer([`changed ${plural(files.length, 'file')}, left ${left.length}:`, ...showLeft(left)]));
    },
  });
}

const longestLine = (text: string): string =>
  text.split(/[\r\n]+/).reduce((longest, line) => (line.trim().length > longest.trim().length ? line : longest), '');

/** A file that holds the text and was not changed. `lines`: how many hold it. */
interface LeftFile {
  path: string;
  lines: number;
  reason: string;
}

/** One row for each reason. */
const showLeft = (left: readonly LeftFile[]): string[] =>
  [...Map.groupBy(left, ({ reason }) => reason)].map(([reason, same]) => {
    const files = same.slice(0, maxLeft).map(({ path, lines }) => `${path} (${plural(lines, 'line')})`);
    const rest = same.length - files.length;
    const all = rest > 0 ? `${files.join(', ')} and ${plural(rest, 'more file')}` : files.join(', ');
    return `${all} ${same.length === 1 ? 'is' : 'are'} ${reason}`;
  });

function showFiles(files: readonly ReplacedText[]): string[] {
  const places = files.reduce((sum, file) => sum + file.places, 0);
  const lines = files.flatMap(({ path, lines }) => lines.map(({ line, shown }) => `${path}:${line}: ${shown}`));
  const counts = files.map((file) => `${file.path}: ${file.places}`);
  return [
    `replaced ${plural(places, 'place')} in ${plural(files.length, 'file')}:`,
    ...(places <= fewPlaces ? lines : firstRows(counts, maxRows, (rest) => plural(rest, 'more file'))),
  ];
}

const spelled = /^[\p{L}\p{N}]{2,40}(?:[ _-][\p{L}\p{N}]{1,40}){0,5}$/u;

/** A POSIX extended regular expression for the words in any case, with any mark between them. Undefined: the text is no such words, or the new text is one of its spellings. */
function toSpellings(oldText: string, newText: string, isWhole: boolean): string | undefined {
  if (!spelled.test(oldText)) return undefined;
  const words = oldText.replace(/[ _-]/g, '[ _-]');
  if (new RegExp(words, 'iu').test(newText)) return undefined;
  return `(^|[^[:alnum:]_])${words}${isWhole ? '($|[^[:alnum:]_])' : ''}`;
}
