import { endOfLine } from '../../pages/blank-code.ts';
import type { PageFormat } from '../../pages/page-format.ts';

/** A line, or lines, that give a label its meaning for the whole page. */
export interface Definition {
  /** Equal for equal labels. */
  key: string;
  /** As it is written. */
  label: string;
  isNote: boolean;
  start: number;
  end: number;
}

export interface LabelUse {
  key: string;
  /** Where the label stands. */
  start: number;
  end: number;
}

/** With the lines that are indented below a footnote. */
const markdownDefinition = /^[ \t>]*\[(\^?)((?:[^\]\\\n]|\\.){1,300})\]:.*(?:\n|$)/gm;
const rstDefinition =
  /^\.\. (?:_([^:`\n]{1,200}):[ \t]+\S|\|([^|\n]{1,100})\|[ \t]|\[(#?[\w.-]{1,100})\][ \t]).*(?:\n|$)/gm;
const markdownUse = /\[(\^?)((?:[^[\]\\]|\\.){1,300})\](?!\()/g;
const rstUse =
  /`([^`<>]{1,300})`_|(?<![\w`|])([A-Za-z\d][\w.-]{0,100})_(?!\w)|\|([^|\n]{1,100})\||\[(#?[\w.-]{1,100})\]_/g;

/** Of Markdown, and of reStructuredText. `prose`: the page without code. */
export function listDefinitions(prose: string, format: PageFormat): Definition[] {
  if (format === 'asciidoc') return [];
  const found = format === 'rst' ? listRst(prose) : listMarkdown(prose);
  return found.map(({ start, end, ...rest }) => ({ ...rest, start, end: findEnd(prose, end) }));
}

const listMarkdown = (prose: string): Definition[] =>
  Array.from(prose.matchAll(markdownDefinition), ({ 0: whole, 1: mark = '', 2: label = '', index }) => ({
    ...{ key: fold(mark + label), label: mark + label, isNote: mark !== '' },
    ...{ start: index, end: index + whole.length },
  }));

const listRst = (prose: string): Definition[] =>
  Array.from(prose.matchAll(rstDefinition), ({ 0: whole, 1: target, 2: name, 3: note, index }) => ({
    ...{ key: keyOf(target, name, note), label: target ?? name ?? note ?? '', isNote: false },
    ...{ start: index, end: index + whole.length },
  }));

/** Lines that are indented, and blank ones between them, belong to it. */
function findEnd(prose: string, from: number): number {
  let end = from;
  for (let at = from; at < prose.length; at = endOfLine(prose, at)) {
    const line = prose.slice(at, endOfLine(prose, at));
    if (line.trim() === '') continue;
    if (!/^(?: {2}|\t)/.test(line)) break;
    end = at + line.length;
  }
  return end;
}

/** Also words in brackets that are no labels. */
export function listUses(prose: string, format: PageFormat): LabelUse[] {
  if (format === 'asciidoc') return [];
  if (format === 'rst')
    return Array.from(prose.matchAll(rstUse), ({ 0: whole, 1: quoted, 2: bare, 3: name, 4: note, index }) => {
      return { key: keyOf(quoted ?? bare, name, note), start: index, end: index + whole.length };
    });
  return Array.from(prose.matchAll(markdownUse), ({ 0: whole, 1: mark = '', 2: label = '', index }) => {
    return { key: fold(mark + label), start: index + 1, end: index + whole.length - 1 };
  });
}

const keyOf = (target: string | undefined, name: string | undefined, note: string | undefined): string =>
  target !== undefined ? fold(target) : name !== undefined ? `|${name.trim()}|` : `[${note ?? ''}]`;

const fold = (label: string) => label.replace(/\s+/g, ' ').trim().toLowerCase();
