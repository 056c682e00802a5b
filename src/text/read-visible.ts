import { closesFence, findOpeningFence, type OpeningFence, splitCodeSpans } from './markdown-code.ts';

export type ReadComment =
  | { kind: 'stop' }
  | { kind: 'instruction'; text: string; isMention: boolean }
  | { kind: 'nothing' };

type Line = { text: string; kind: 'prose' | 'quoted' | 'code' };

/**
 * Reads a comment without its hidden parts. Ignores lines that start with `aside`. Quoted lines alone are no instruction. A mention counts where
 * GitHub would notify: not in code, quotations, words or URLs. `stop`: only a mention and "stop" or "cancel".
 */
export function readVisible(text: string, appSlug: string): ReadComment {
  const lines = readLines(text);
  const own = lines.filter(({ kind }) => kind !== 'quoted');
  if (own.every(({ text }) => text.trim() === '')) return { kind: 'nothing' };

  const mention = createMentionPattern(appSlug);
  const isMention = own.some(({ kind, text }) => kind === 'prose' && mention.test(withoutCode(text)));
  if (isMention && own.every(({ kind }) => kind === 'prose')) {
    const words = own.map(({ text }) => text.replace(new RegExp(mention, 'giu'), ' ')).join(' ');
    if (isStop(words)) return { kind: 'stop' };
  }
  const instruction = trimLines(lines.map((line) => line.text).join('\n'));
  return { kind: 'instruction', text: withoutMention(instruction, mention), isMention };
}

/** Not compound words such as aside-navigation. */
const aside = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?[(*_~]*aside(?![_-]?[\p{L}\p{N}])/iu;
/** Also in an item of a list. */
const quotation = /^ {0,3}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}){0,3}>/;
const listItem = /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]/;
const indented = /^(?: {4}| {0,3}\t)/;

function readLines(text: string): Line[] {
  let fence: OpeningFence | undefined;
  const isIndentedCode = createIndentedCodeFinder();
  return text.split('\n').flatMap((line): Line[] => {
    if (fence !== undefined) {
      if (closesFence(line, fence)) fence = undefined;
      return [{ text: line, kind: 'code' }];
    }
    if (aside.test(line)) return [];
    if (isIndentedCode(line)) return [{ text: line, kind: 'code' }];
    if (quotation.test(line)) return [{ text: line, kind: 'quoted' }];
    fence = findOpeningFence(line);
    return [{ text: line, kind: fence === undefined ? 'prose' : 'code' }];
  });
}

/** Takes the lines in order. Indented lines are code only after a blank line, and not in a list: https://spec.commonmark.org/0.31.2/#indented-code-blocks */
function createIndentedCodeFinder(): (line: string) => boolean {
  let mayBegin = true;
  let isInList = false;
  return (line) => {
    if (line.trim() === '') {
      mayBegin = true;
      return false;
    }
    const isCode = mayBegin && !isInList && indented.test(line);
    if (listItem.test(line)) isInList = true;
    else if (!/^[ \t]/.test(line)) isInList = false;
    mayBegin = isCode;
    return isCode;
  };
}

/** Not part of a longer name, a team, a word, an e-mail address or a path. */
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
  const commands = words.filter((word) => word !== 'please');
  return commands.length === 1 && ['stop', 'cancel'].includes(commands[0] ?? '');
}

const trimLines = (text: string) => text.trimEnd().replace(/^\s*\n/, '');

function withoutMention(text: string, mention: RegExp): string {
  const found = mention.exec(text);
  if (found === null || text.slice(0, found.index).trim() !== '') return text;
  const rest = text.slice(found.index + found[0].length).replace(/^[ \t]*[,:]?[ \t]*/, '');
  return trimLines(rest) || text;
}
