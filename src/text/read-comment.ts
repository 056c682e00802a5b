import { closesFence, type Fence, findFence, splitCodeSpans } from './markdown-code.ts';
import { stripHidden } from './strip-hidden.ts';

/** What a comment asks of us. */
export type ReadComment =
  | { kind: 'stop' }
  /** `isMention`: whether it calls us by name. */
  | { kind: 'instruction'; text: string; isMention: boolean }
  | { kind: 'nothing' };

type Line = { text: string; kind: 'said' | 'quoted' | 'code' };

/**
 * Reads what a person wrote in a comment or review, by what people see of it (`stripHidden`). Lines that start with the word `aside`
 * are not for us and left out. Quoted lines stay in the text of an instruction, but are none by themselves. A mention counts where
 * GitHub would notify us: not in code, quotations, words or addresses. `stop`: the comment is nothing but a mention and the word stop
 * or cancel. A mention at the start is left out of the text, unless it is all there is. Takes linear time, whatever the text.
 */
export function readComment(body: string, appSlug: string): ReadComment {
  const lines = readLines(stripHidden(body));
  const own = lines.filter(({ kind }) => kind !== 'quoted');
  if (own.every(({ text }) => text.trim() === '')) return { kind: 'nothing' };

  const mention = createMentionPattern(appSlug);
  const isMention = own.some(({ kind, text }) => kind === 'said' && mention.test(withoutCode(text)));
  if (isMention && own.every(({ kind }) => kind === 'said')) {
    const words = own.map(({ text }) => text.replace(new RegExp(mention, 'giu'), ' ')).join(' ');
    if (isStop(words)) return { kind: 'stop' };
  }
  const text = trimLines(lines.map((line) => line.text).join('\n'));
  return { kind: 'instruction', text: withoutAddress(text, mention), isMention };
}

/** Compound words like aside-navigation are not the word. */
const aside = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[(*_~]*aside(?![_-]?[\p{L}\p{N}])/iu;
const quotation = /^ {0,3}>/;

function readLines(text: string): Line[] {
  let fence: Fence | undefined;
  return text.split('\n').flatMap((line): Line[] => {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      return [{ text: line, kind: 'code' }];
    }
    if (aside.test(line)) return [];
    if (quotation.test(line)) return [{ text: line, kind: 'quoted' }];
    fence = findFence(line);
    return [{ text: line, kind: fence === undefined ? 'said' : 'code' }];
  });
}

/** Neither a longer name, nor a team of an organisation of that name, nor the end of a word, an e-mail address or a path. */
function createMentionPattern(appSlug: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}_/@])@${RegExp.escape(appSlug)}(?:\\[bot\\])?(?![\\p{L}\\p{N}_/]|-[\\p{L}\\p{N}])`,
    'iu',
  );
}

const withoutCode = (line: string) =>
  splitCodeSpans(line)
    .filter((_part, index) => index % 2 === 0)
    .join('`');

function isStop(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const asked = words.filter((word) => word !== 'please');
  return asked.length === 1 && ['stop', 'cancel'].includes(asked[0] ?? '');
}

/** Without blank lines around it; the indentation of the first line stays. */
const trimLines = (text: string) => text.trimEnd().replace(/^\s*\n/, '');

function withoutAddress(text: string, mention: RegExp): string {
  const found = mention.exec(text);
  if (found === null || text.slice(0, found.index).trim() !== '') return text;
  const rest = text.slice(found.index + found[0].length).replace(/^[ \t]*[,:]?[ \t]*/, '');
  return trimLines(rest) || text;
}
