import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';
import { decodeString } from 'micromark-util-decode-string';

type Event = ReturnType<typeof postprocess>[number];
type Token = Event[1];

/** A range of the source: offsets in UTF-16 units. */
export interface SourceRange {
  start: number;
  end: number;
}

export interface FoundLink {
  isImage: boolean;
  whole: SourceRange;
  /** Includes the brackets, and the `!` of an image. */
  label: SourceRange;
  labelText: SourceRange;
  /** Only an inline link has one. */
  destination?: SourceRange;
  title?: SourceRange;
  /** The label of the definition, where that is not the link's own. */
  reference?: SourceRange;
  /** Where the link's text starts in the visible text. */
  visibleStart: number;
  visibleEnd: number;
}

export interface FoundFence {
  sequence: string;
  info?: SourceRange;
  /** What follows the language. GitHub does not show it. */
  meta?: SourceRange;
  isClosed: boolean;
  /** It is in a list or quotation, and ends with it. */
  isNested: boolean;
}

export interface FoundAutolink extends SourceRange {
  visibleStart: number;
}

export interface SourceEdit extends SourceRange {
  text: string;
}

export interface MarkdownReading {
  visible: VisibleText;
  links: FoundLink[];
  definitions: { whole: SourceRange; label: SourceRange; destination?: SourceRange }[];
  fences: FoundFence[];
  code: SourceRange[];
  /** Indented code right after a table, which other renderers read as a row. */
  codeAfterTables: SourceRange[];
  html: SourceRange[];
  autolinks: FoundAutolink[];
  /** Addresses in the text that become links. After an open bracket, none does. */
  linkedAddresses: SourceRange[];
  footnoteDefinitions: SourceRange[];
}

/** The text that readers see, decoded, without code. `boundary` stands for code and for each change of the markup. */
interface VisibleText {
  readonly text: string;
  toSource(from: number, to: number): SourceRange;
}

export const boundary = '\uFFFC';

const containers = new Set(['blockQuote', 'listOrdered', 'listUnordered', 'gfmFootnoteDefinition']);
const textTokens = new Set(['data', 'literalAutolink', 'characterEscape', 'characterReference', 'lineEnding']);
const hidden = new Set(['resource', 'reference', 'definition', 'autolink', 'htmlText', 'htmlFlow']);
const code = new Set(['codeText', 'codeFenced', 'codeIndented']);
const unmarked = new Set(['content', 'paragraph', 'linePrefix', 'whitespace', 'lineEndingBlank', 'lineSuffix']);

/** Reads GitHub Flavored Markdown. https://github.github.com/gfm/ */
export function readMarkdown(source: string): MarkdownReading {
  const visible = createVisibleText(source);
  const reading: MarkdownReading = {
    visible,
    links: [],
    definitions: [],
    fences: [],
    code: [],
    codeAfterTables: [],
    html: [],
    autolinks: [],
    linkedAddresses: [],
    footnoteDefinitions: [],
  };
  const open: FoundLink[] = [];
  let depth = 0;
  let skipped: Token | undefined;
  let tableEnd: number | undefined;

  for (const [kind, token] of parseEvents(source)) {
    const type: string = token.type;
    const span = toSpan(token);
    if (containers.has(type)) depth += kind === 'enter' ? 1 : -1;
    if (kind === 'exit') {
      if (type === 'link' || type === 'image') closeLink();
      if (type === 'table') tableEnd = span.end;
      if (skipped === token) skipped = undefined;
      if (skipped === undefined && !unmarked.has(type) && !textTokens.has(type)) visible.addBoundary(span.end);
      continue;
    }
    record(type, span);
    if (skipped !== undefined) continue;
    if (textTokens.has(type)) visible.add(span, type);
    else if (!unmarked.has(type)) visible.addBoundary(span.start);
    if (textTokens.has(type) || hidden.has(type) || code.has(type)) skipped = token;
  }
  return reading;

  function record(type: string, span: SourceRange): void {
    const link = open.at(-1);
    const definition = reading.definitions.at(-1);
    const fence = reading.fences.at(-1);
    if (code.has(type)) reading.code.push(span);
    if (type === 'codeIndented' && tableEnd !== undefined && !/\n.*\n/.test(source.slice(tableEnd, span.start)))
      reading.codeAfterTables.push(span);
    if (type === 'link' || type === 'image') openLink(span, type === 'image');
    else if (type === 'label' && link) link.label = span;
    else if (type === 'labelText' && link) link.labelText = span;
    else if (type === 'resourceDestinationString' && link) link.destination = span;
    else if (type === 'resourceTitle' && link) link.title = span;
    else if (type === 'referenceString' && link) link.reference = span;
    else if (type === 'definition') reading.definitions.push({ whole: span, label: span });
    else if (type === 'definitionLabelString' && definition) definition.label = span;
    else if (type === 'definitionDestinationString' && definition) definition.destination = span;
    else if (type === 'gfmFootnoteDefinition') reading.footnoteDefinitions.push(span);
    else if (type === 'autolink') reading.autolinks.push({ ...span, visibleStart: visible.length });
    else if (type === 'literalAutolink') reading.linkedAddresses.push(span);
    else if (type === 'htmlText' || type === 'htmlFlow') reading.html.push(span);
    else if (type === 'codeFenced') reading.fences.push({ sequence: '', isClosed: false, isNested: depth > 0 });
    else if (type === 'codeFencedFenceInfo' && fence) fence.info = span;
    else if (type === 'codeFencedFenceMeta' && fence) fence.meta = span;
    else if (type === 'codeFencedFenceSequence' && fence) {
      fence.isClosed = fence.sequence !== '';
      fence.sequence ||= source.slice(span.start, span.end);
    }
  }

  function openLink(whole: SourceRange, isImage: boolean): void {
    const { length } = visible;
    const labelText = { start: whole.start, end: whole.start };
    open.push({ isImage, whole, label: whole, labelText, visibleStart: length, visibleEnd: length });
  }

  function closeLink(): void {
    const link = open.pop();
    if (link) reading.links.push({ ...link, visibleEnd: visible.length });
  }
}

function parseEvents(source: string): Event[] {
  return postprocess(
    parse({ extensions: [gfm()] })
      .document()
      .write(preprocess()(source, undefined, true)),
  );
}

const toSpan = ({ start, end }: Token): SourceRange => ({ start: start.offset, end: end.offset });

function createVisibleText(source: string) {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let last = '';
  let joined: string | undefined;
  const append = (text: string, span: SourceRange) => {
    parts.push(text);
    joined = undefined;
    last = text.at(-1) ?? last;
    const isAsWritten = text.length === span.end - span.start;
    for (let at = 0; at < text.length; at += 1) {
      starts.push(isAsWritten ? span.start + at : span.start);
      ends.push(isAsWritten ? span.start + at + 1 : span.end);
    }
  };
  return {
    get text() {
      joined ??= parts.join('');
      return joined;
    },
    get length() {
      return starts.length;
    },
    toSource: (from: number, to: number): SourceRange => ({ start: starts[from] ?? 0, end: ends[to - 1] ?? 0 }),
    add(span: SourceRange, type: string): void {
      const raw = source.slice(span.start, span.end);
      append(type === 'lineEnding' ? '\n' : type.startsWith('character') ? decodeString(raw) : raw, span);
    },
    addBoundary(at: number): void {
      if (last !== boundary) append(boundary, { start: at, end: at });
    },
  };
}
