import { bound } from '../../text/bound.ts';
import type { Change } from '../base-files.ts';
import { findMark, quoteMark } from './find-mark.ts';
import { describeMark, type GeneratedSetting } from './generated-paths.ts';
import { readComments } from './read-comments.ts';

/** Why a change of what a program writes may not be made: it would be lost. */
export function judgeGenerated(
  { path, before, after }: Change,
  setting: GeneratedSetting | undefined,
): string | undefined {
  const text = before?.text ?? null;
  if (text === null || setting === 'off') return undefined;
  const mark = findMark(path, text);
  if (mark !== undefined) return `${path} is protected: ${describeMark(mark)}. ${generatedAdvice}`;
  let from = 0;
  const changed = after?.text == null ? undefined : withLineFeeds(after.text);
  for (const region of findMarkedRegions(withLineFeeds(text))) {
    const at = changed?.indexOf(region.text, from) ?? -1;
    if (at === -1)
      return `lines ${region.firstLine} to ${region.lastLine} of ${path} are generated, between comments that say "${region.mark}": keep them, comments included. ${generatedAdvice}`;
    from = at + region.text.length;
  }
  return undefined;
}

/** Git or an editor may write other line ends, and the program does not mind. */
const withLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n');

const generatedAdvice =
  'A change here would be lost: change what it is made from if you may write that, or else say in your summary what a person has to change there';

/** Lines that a program writes, between two comments that say so. */
interface Region {
  text: string;
  /** From 1. */
  firstLine: number;
  lastLine: number;
  /** What the first comment says. */
  mark: string;
}

/** Longer texts have no regions: reading them would hold the event loop. */
const maxLength = 1024 ** 2;
const maxComments = 1_000;
const maxComment = 200;

const opens = /(?<![a-z])(?:start|begin|\[\[\[cog)(?![a-z])/i;
const closes = /(?<![a-z])(?:end|stop|finish)(?![a-z])/i;
/** The last ones are of tools that do not say "generated": terraform-docs, all-contributors, cog, Speakeasy. */
const marks = [
  /generated|do[ _-]?not[ _-]?(?:remove or )?(?:edit|modify)/i,
  /_tf_docs|all-contributors-list|\[\[\[cog/i,
  /^\s*(?:start|end) [^[\n]{1,80}\[[\w-]{1,80}\]\s*$/i,
];
/** People keep tables of contents by hand as well, with the same result. */
const ofContents = /(?<![a-z])toc(?![a-z])|table of contents/i;
const sides = ['start', 'begin', 'end', 'stop', 'finish', 'cog'];

/** In order, without overlaps. The names of the closing comment are among those of the opening one. */
function findMarkedRegions(text: string): Region[] {
  if (text.length > maxLength) return [];
  const lines = text.split('\n');
  const comments = readComments(lines, { hasHashes: false })
    .slice(0, maxComments)
    .map((comment) => ({ ...comment, text: bound(comment.text, maxComment) }));
  const names = comments.map(({ text: comment }) => namesOf(comment));
  const ends = comments.flatMap((comment, index) => (closes.test(comment.text) ? [index] : []));
  const regions: Region[] = [];
  let free = 0;
  for (const [index, start] of comments.entries()) {
    if (index < free || !opens.test(start.text) || ofContents.test(start.text)) continue;
    const end = ends.find((at) => at > index && names[at]?.every((name) => names[index]?.includes(name)));
    const closing = end === undefined ? undefined : comments[end];
    const says = (mark: RegExp) => mark.test(start.text) || mark.test(closing?.text ?? '');
    if (end === undefined || !closing || !marks.some(says)) continue;
    regions.push({
      text: lines.slice(start.first, closing.last + 1).join('\n'),
      firstLine: start.first + 1,
      lastLine: closing.last + 1,
      mark: quoteMark(start.text),
    });
    free = end + 1;
  }
  return regions;
}

const namesOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !sides.includes(word));
