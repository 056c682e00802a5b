import { bound } from '../bound.ts';
import { withoutInvisible } from '../invisible.ts';
import { isAllowedImage, type OutgoingContext } from './addresses.ts';
import { findCheckSkips, findTextEdits, type InContext, isKeptLink } from './find-text-edits.ts';
import {
  boundary,
  type FoundAutolink,
  type FoundFence,
  type FoundLink,
  type MarkdownReading,
  readMarkdown,
  type SourceEdit,
  type SourceRange,
} from './read-markdown.ts';
import { writeCode, writeCodeBlock } from './write-code.ts';

/** An edit may activate text that was inert before. Only a crafted text needs more rounds. */
const maxRounds = 8;

/**
 * Rewrites untrusted Markdown so that GitHub shows all of it and acts on nothing in it: no HTML, hidden text, mentions, references, commands,
 * or images and links to other places than the context allows. Code and formatting stay. Idempotent. The result must start a line.
 */
export function neutralizeMarkdown(markdown: string, context: OutgoingContext): string {
  let text = withoutMarkers(withoutInvisible(markdown)).trim();
  for (let round = 0; round < maxRounds && !context.isShownAsWritten; round += 1) {
    const edits = findEdits(text, context);
    if (edits.length === 0) return text;
    text = editMarkdown(text, edits).trim();
  }
  return writeCodeBlock(text);
}

/** The markers find our section of a body and our comments, in code too. */
const withoutMarkers = (text: string) => text.replace(/<!--(?=\s*pagewright:)/g, '<!- -');

/** Cuts before neutralizing, because a cut could go through a new code span. */
export function neutralizeBounded(markdown: string, maxLength: number, context: OutgoingContext): string {
  for (let room = maxLength; ; room = Math.floor(room / 2)) {
    const neutralized = neutralizeMarkdown(bound(markdown.trim(), room), context);
    if (neutralized.length <= maxLength) return neutralized;
  }
}

/** The edits of a Markdown text after which GitHub acts on nothing in it. None if nothing is left to change. */
function findEdits(source: string, context: OutgoingContext): SourceEdit[] {
  const reading = readMarkdown(source);
  const edits = [
    ...reading.html.flatMap((span) => escapeTags(source, span)),
    ...reading.definitions.map(({ whole }) => ({ ...whole, text: '' })),
    ...reading.footnoteDefinitions.map(({ start }) => ({ start, end: start, text: '\\' })),
    ...reading.fences.flatMap((fence) => editFence(source, fence)),
    ...reading.codeAfterTables.map(({ start }) => ({ start, end: start + indentOf(source, start), text: ' ' })),
    ...reading.links.flatMap((link) => editLink(source, { link, reading, context })),
    ...reading.autolinks.flatMap((autolink) => editAutolink(source, { autolink, reading, context })),
    ...findTextEdits(source, { reading, context }),
    ...findCheckSkips(source, reading),
  ];
  return withoutOverlap(edits);
}

const indentOf = (source: string, start: number) => source.slice(start).search(/[^ \t]/);

/** Overlapping edits are found again in the next round. */
function withoutOverlap(edits: SourceEdit[]): SourceEdit[] {
  let end = 0;
  return edits
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .filter((edit) => {
      if (edit.start < end) return false;
      end = edit.end;
      return true;
    });
}

function editMarkdown(source: string, edits: readonly SourceEdit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits) {
    parts.push(source.slice(end, edit.start), apart(source, edit));
    end = edit.end;
  }
  return parts.join('') + source.slice(end);
}

/** A backtick or backslash beside a new code span would change where it begins or ends. */
function apart(source: string, { start, end, text }: SourceEdit): string {
  if (!text.startsWith('`') && !text.endsWith('`')) return text;
  const before = text.startsWith('`') && /[`\\]/.test(source[start - 1] ?? '') ? ' ' : '';
  const after = text.endsWith('`') && source[end] === '`' ? ' ' : '';
  return before + text + after;
}

function escapeTags(source: string, { start, end }: SourceRange): SourceEdit[] {
  const raw = source.slice(start, end);
  return [...raw.matchAll(/</g)].map(({ index }) => ({ start: start + index, end: start + index + 1, text: '&lt;' }));
}

/** GitHub draws these, offers a change in them, or acts on them. https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/creating-diagrams */
const drawn = new Set(['mermaid', 'geojson', 'topojson', 'stl', 'math', 'suggestion']);

/** GitHub shows no language, so a long one could hide words. */
const languageName = /^[a-z][a-z+#.-]{0,15}\d{0,2}$/i;

function editFence(source: string, { sequence, info, meta, isClosed, isNested }: FoundFence): SourceEdit[] {
  const language = info && source.slice(info.start, info.end);
  const isKept = language !== undefined && languageName.test(language) && !drawn.has(language.toLowerCase());
  return [
    ...(info && !isKept ? [{ ...info, text: 'text' }] : []),
    ...(meta ? [{ ...meta, text: '' }] : []),
    // The text that follows would be code, too.
    ...(isClosed || isNested ? [] : [{ start: source.length, end: source.length, text: `\n${sequence}` }]),
  ];
}

function editLink(source: string, { link, reading, context }: InContext & { link: FoundLink }): SourceEdit[] {
  const { whole, label, labelText, isImage, visibleStart, visibleEnd } = link;
  const destination = findDestination(source, link, reading);
  const isShown = /\S/.test(source.slice(labelText.start, labelText.end));
  const isKept = isImage
    ? isAllowedImage(destination, context)
    : isShown && isKeptLink(destination, { source, start: whole.start, reading, context, at: visibleStart });
  if (isKept) {
    // A title is hidden, and a definition is removed.
    const isInline = link.destination !== undefined && link.title === undefined;
    return isInline ? [] : [{ start: label.end, end: whole.end, text: `(<${destination}>)` }];
  }
  const text = reading.visible.text.slice(visibleStart, visibleEnd).replaceAll(boundary, '').trim();
  const address = destination === '' || text === destination ? '' : writeCode(destination);
  return [
    { start: whole.start, end: labelText.start, text: '' },
    { start: labelText.end, end: whole.end, text: address !== '' && isShown ? ` (${address})` : address },
  ];
}

function findDestination(source: string, link: FoundLink, { definitions }: MarkdownReading): string {
  const { destination, reference = link.labelText } = link;
  const isReference = source[link.label.end] !== '(' || link.label.end === link.whole.end;
  if (destination || !isReference) return destination ? source.slice(destination.start, destination.end) : '';
  const name = normalise(source.slice(reference.start, reference.end));
  const definition = definitions.find(({ label }) => normalise(source.slice(label.start, label.end)) === name);
  return definition?.destination ? source.slice(definition.destination.start, definition.destination.end) : '';
}

const normalise = (label: string) => label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase();

function editAutolink(
  source: string,
  { autolink: { start, end, visibleStart: at }, reading, context }: InContext & { autolink: FoundAutolink },
): SourceEdit[] {
  const destination = source.slice(start + 1, end - 1);
  if (destination.includes('://') && isKeptLink(destination, { source, start, reading, context, at })) return [];
  return [{ start, end, text: writeCode(destination) }];
}
