import type { PageFormat } from '../../page-extensions.ts';
import { endOfLine } from '../../pages/blank-code.ts';
import { type CutSection, proseOf } from './cut-section.ts';

interface Carried {
  /** Inside of the section, and needed only outside of it: they stay. */
  staying: Definition[];
  /** Needed where the section goes, and not defined there. `isLeft`: also needed where it was. */
  copied: (Definition & { isLeft: boolean })[];
  /** Uses and definitions of footnotes whose label means another one there. */
  renamed: (LabelUse & { label: string })[];
}

/** The definitions of links and footnotes that a section takes along, or why it cannot. */
export function carryDefinitions(
  source: { path: string; text: string; format: PageFormat },
  { start, end }: CutSection,
  target: { path: string; text: string; format: PageFormat },
): Carried | string {
  const carried: Carried = { staying: [], copied: [], renamed: [] };
  if (source.path === target.path) return carried;
  const prose = proseOf(source.text, source.format);
  const definitions = listDefinitions(prose, source.format);
  const isIn = (place: { start: number }) => start <= place.start && place.start < end;
  const uses = listUses(prose, source.format).filter(
    (use) =>
      !definitions.some((each) => each.key === use.key && each.start <= use.start && use.start <= each.start + 4),
  );
  const there = listDefinitions(proseOf(target.text, target.format), target.format);
  const taken = new Set(there.map(({ key }) => key));
  const textOf = (text: string, each: Definition) => text.slice(each.start, each.end).replace(/\s+/g, ' ').trim();
  for (const each of definitions) {
    const own = uses.filter(({ key }) => key === each.key);
    const [inside, outside] = [own.filter(isIn), own.filter((use) => !isIn(use))];
    if (inside.length === 0) {
      if (isIn(each) && outside.length > 0) carried.staying.push(each);
      continue;
    }
    const same = there.find(({ key }) => key === each.key);
    const isSame = same !== undefined && textOf(source.text, each) === textOf(target.text, same);
    if (same !== undefined && !isSame) {
      if (!each.isNote)
        return `both ${source.path} and ${target.path} define [${each.label}], with other meanings; rename one first`;
      const label = findFree(each.label, taken);
      taken.add(label.toLowerCase());
      const at = source.text.indexOf(`[${each.label}]`, each.start) + 1;
      for (const use of [...inside, { key: each.key, start: at, end: at + each.label.length }])
        carried.renamed.push({ ...use, label });
    }
    const isLeft = outside.length > 0;
    if (isIn(each) && isLeft) carried.staying.push(each);
    if (!isSame && (isLeft || !isIn(each))) carried.copied.push({ ...each, isLeft });
  }
  return carried;
}

/** `^1` to the next free number, `^note` to `^note-2`. */
function findFree(label: string, taken: ReadonlySet<string>): string {
  const name = label.slice(1);
  const isNumber = /^\d{1,6}$/.test(name);
  for (let count = isNumber ? Number(name) + 1 : 2; ; count += 1) {
    const free = isNumber ? `^${count}` : `^${name}-${count}`;
    if (!taken.has(free.toLowerCase())) return free;
  }
}

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

interface LabelUse {
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
function listDefinitions(prose: string, format: PageFormat): Definition[] {
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
function listUses(prose: string, format: PageFormat): LabelUse[] {
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
