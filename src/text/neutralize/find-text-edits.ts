import {
  createReferenceTest,
  isAfterKeyword,
  isAllowedLink,
  isConversation,
  isForeignConversation,
  type OutgoingContext,
} from './addresses.ts';
import type { MarkdownReading, SourceEdit } from './read-markdown.ts';
import { writeCode } from './write-code.ts';

export interface InContext {
  reading: MarkdownReading;
  context: OutgoingContext;
}

/** Addresses, mentions and references: GitHub reads them after rendering, so this searches the visible text. */
export function findTextEdits(source: string, { reading, context }: InContext): SourceEdit[] {
  const { visible } = reading;
  const { text } = visible;
  const edits: SourceEdit[] = [];
  const isKeptReference = createReferenceTest(context);
  const sign = /:\/\/|(?<![a-z0-9])www\.(?=[^\s<])|@(?=[a-z0-9])|#(?=\d)|(?<![a-z0-9])GH-(?=\d)/giu;
  for (let match = sign.exec(text), last = 0; match !== null; match = sign.exec(text)) {
    const found = { index: match.index, sign: match[0], after: match.index + match[0].length, last };
    const { from, to } = extend(text, found);
    last = Math.max(to, found.after);
    sign.lastIndex = last;
    const span = visible.toSource(from, last);
    const isAddress = found.sign === '://' || /^www/i.test(found.sign);
    if (isAddress && isKeptAddress(source, { start: span.start, from, to, reading, context })) continue;
    const written = source.slice(span.start, span.end);
    const isPlain = found.sign === '#' && written === text.slice(from, last) && !isWordAt(text, last);
    const before = text.slice(0, from);
    const isAfterCode = isAfterKeyword(source.slice(0, span.start));
    if (isPlain && !isAfterCode && isKeptReference({ written, before })) continue;
    edits.push({ ...span, text: writeCode(text.slice(from, last).replaceAll('|', '%7C')) });
  }
  return [...edits, ...quietMarkup(source, reading)];
}

const isWordAt = (text: string, at: number) => /\w/.test(text.charAt(at));

interface FoundSign {
  index: number;
  sign: string;
  after: number;
  /** Where the previous match ended. */
  last: number;
}

function extend(text: string, { index, sign, after, last }: FoundSign): { from: number; to: number } {
  if (sign === '://' || /^www/i.test(sign)) {
    const from = sign === '://' ? goBack(text, { from: index, last, while: /[a-z]/i }) : index;
    const to = goOn(text, after, /[^\s<`\uFFFC]/);
    return { from, to: goBack(text, { from: to, last: after, while: /[.,:;!?'"*_~)\]}]/ }) };
  }
  if (sign === '@') {
    const from = goBack(text, { from: index, last, while: /[\w.+-]/ });
    const to = goOn(text, after, /[\w./-]/);
    return { from, to: goBack(text, { from: to, last: after + 1, while: /[./-]/ }) };
  }
  const from = sign === '#' ? goBack(text, { from: index, last, while: /[\w./-]/ }) : index;
  return { from, to: goOn(text, after, /\d/) };
}

function goOn(text: string, from: number, isPart: RegExp): number {
  let at = from;
  while (at < text.length && isPart.test(text.charAt(at))) at += 1;
  return at;
}

function goBack(text: string, { from, last, while: isPart }: { from: number; last: number; while: RegExp }): number {
  let at = from;
  while (at > last && isPart.test(text.charAt(at - 1))) at -= 1;
  return at;
}

/** The host must end before anything that two renderers might read in two ways. */
const plainAddress =
  /(?:https?:\/\/|www\.)[a-z0-9.-]{1,253}(?::\d{1,5})?(?:[/?#]|(?=[.,:;!?'"*_~)]{0,4}(?:[ \t\n<]|$)))/iy;

function isKeptAddress(
  source: string,
  { start, from, to, reading, context }: InContext & { start: number; from: number; to: number },
): boolean {
  plainAddress.lastIndex = start;
  const [address = ''] = plainAddress.exec(source) ?? [];
  if (address === '') return false;
  const whole = reading.visible.text.slice(from, to);
  const isLinked = reading.linkedAddresses.some((span) => span.start <= start && start < span.end);
  // In plain text GitHub would find them.
  if (!isLinked && /@[a-z0-9]|#\d|\bGH-\d/i.test(whole)) return false;
  const withScheme = (part: string) => (/^www/i.test(part) ? `http://${part}` : part);
  if (!isAllowedLink(withScheme(address.replace(/[/?#]$/, '')), context)) return false;
  return isKeptLink(withScheme(whole), { source, start, reading, context, at: from });
}

/** False for a conversation that a closing keyword before it would close, in code too. It begins at `start` of the source, `at` of the visible text. */
export function isKeptLink(
  destination: string,
  { source, start, reading, context, at }: InContext & { source: string; start: number; at: number },
): boolean {
  if (!isAllowedLink(destination, context) || isForeignConversation(destination, context)) return false;
  const before = [reading.visible.text.slice(0, at), source.slice(0, start)];
  return !(isConversation(destination, context) && before.some(isAfterKeyword));
}

/** Text that another renderer might take as markup, and commands for bots, which read the source. */
function quietMarkup(source: string, { visible }: MarkdownReading): SourceEdit[] {
  const find = (pattern: RegExp) =>
    [...visible.text.matchAll(pattern)].map(({ index, 0: text }) => ({
      ...visible.toSource(index, index + text.length),
      text,
    }));
  const tags = find(/<(?=[a-z/?!])/gi).filter((span) => isAsWritten(source, span));
  const definitions = find(/\[(?=[^[\]]{1,1000}\]:)/g).filter(
    (span) => isAsWritten(source, span) && startsLine(source, span),
  );
  // A single one would pair with those of a new code span.
  const backticks = find(/`/g).filter((span) => isAsWritten(source, span));
  const commands = find(/(?<![^\s\uFFFC])\/[a-z][\w:.-]*(?=[\s\uFFFC]|$)/gi).filter((span) => startsLine(source, span));
  return [
    ...tags.map((span) => ({ ...span, text: '&lt;' })),
    ...definitions.map(({ start }) => ({ start, end: start, text: '\\' })),
    ...commands.map((span) => ({ ...span, text: writeCode(span.text) })),
    ...backticks.map(({ start }) => ({ start, end: start, text: '\\' })),
    ...quietMathematics(source, find(/\$+/g)),
  ];
}

const isAsWritten = (source: string, { start, end, text }: SourceEdit) => source.slice(start, end) === text;

function startsLine(source: string, { start }: SourceEdit): boolean {
  const at = goBack(source, { from: start, last: 0, while: /[ \t]/ });
  return at === 0 || source[at - 1] === '\n';
}

/** Its macros can hide text. https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/writing-mathematical-expressions */
function quietMathematics(source: string, dollars: SourceEdit[]): SourceEdit[] {
  const [first] = dollars;
  const last = dollars.at(-1);
  if (first === undefined || last === undefined || first === last) return [];
  if (source.slice(first.start, last.end).includes('\\'))
    return dollars.map((span) => ({ ...span, text: writeCode(span.text) }));
  return dollars.filter(({ end }) => source[end] === '`').map(({ end }) => ({ start: end, end, text: ' ' }));
}

/** A merge may take the text as the commit's message. https://docs.github.com/en/actions/how-tos/manage-workflow-runs/skip-workflow-runs */
export function findCheckSkips(source: string, { code }: MarkdownReading): SourceEdit[] {
  const skips = [...source.matchAll(/\[\s*(?:(?:skip|no)\s+ci|ci\s+skip|skip\s+actions|actions\s+skip)\s*\]/gi)].map(
    ({ index, 0: words }) => {
      const start = index + words.search(/(?<=\w)\s/);
      return { start, end: start + 1, text: '&#32;' };
    },
  );
  const trailers = [...source.matchAll(/(?<=skip)-(?=checks\s*:)/gi)].map(({ index }) => ({
    start: index,
    end: index + 1,
    text: '&#45;',
  }));
  return [...skips, ...trailers].filter(({ start }) => !code.some((span) => span.start <= start && start < span.end));
}
