import { endOfLine } from '../../pages/blank-code.ts';
import { applyEdits, placeEdits, type TargetEdit } from '../apply-edits.ts';
import type { Definition } from './carry-definitions.ts';
import { findImportPlace } from './carry-imports.ts';
import type { CutSection, SectionPlace, SourcePage, TargetPage } from './cut-section.ts';

/** All that changes both pages. Positions are those of the pages before the move. */
export interface SectionEdits {
  source: SourcePage;
  target: TargetPage;
  section: CutSection;
  place: SectionPlace;
  /** Definitions in the section that stay behind, and those that it takes along. */
  staying: readonly Definition[];
  copied: readonly (Definition & { isLeft: boolean })[];
  imports: readonly string[];
  /** In the text that moves, at its old place. */
  inSection: readonly TargetEdit[];
  inSource: readonly TargetEdit[];
  inTarget: readonly TargetEdit[];
}

interface ComposedPages {
  pages: { path: string; text: string }[];
  /** Where the section begins, and its heading there. */
  line: number;
  written: string;
}

export function composePages(edits: SectionEdits): ComposedPages {
  const { source, target, section, place, copied } = edits;
  const isOwn = source.path === target.path;
  const base = target.isNew ? place.header : target.text;
  const lineEnd = /\r\n/.test(base === '' ? source.text : base) ? '\r\n' : '\n';
  const withEnds = (text: string) => text.replace(/\r?\n/g, lineEnd);
  const own = withEnds(cutText(edits));
  const carried = copied.map((each) => withEnds(copyText(edits, each)).trimEnd() + lineEnd).join('');
  const [lead, tail] = separate(base, place.at, lineEnd);
  const isLast = place.at === base.length;
  const insertion: TargetEdit = {
    ...{ line: 0, start: place.at, end: place.at },
    replacement: lead + own + (isLast && carried !== '' ? lineEnd + carried : '') + tail,
  };
  const endsInDefinition = /(?:^|\n)\[[^\]\n]+\]:[^\n]*\n?$/.test(base);
  const [before] = separate(base, base.length, lineEnd);
  const behind: TargetEdit[] =
    isLast || carried === ''
      ? []
      : [{ line: 0, start: base.length, end: base.length, replacement: (endsInDefinition ? '' : before) + carried }];
  const toTarget = [...edits.inTarget, ...listImportEdits(base, edits.imports, lineEnd), insertion, ...behind];
  const fromSource = [...edits.inSource, ...listRemovals(edits)];
  const all = isOwn ? [...fromSource, ...toTarget] : toTarget;
  const text = applyEdits(base, all);
  const at = (placeEdits(all).find(({ edit }) => edit === insertion)?.start ?? 0) + lead.length;
  const above = applyPart(edits, section.start, findHeading(source, section));
  const line = text.slice(0, at + withEnds(above).length).split('\n').length;
  return {
    pages: [
      ...(isOwn ? [] : [{ path: source.path, text: applyEdits(source.text, fromSource) }]),
      { path: target.path, text },
    ],
    line,
    // A title may have a line above it.
    written: (text.split('\n').find((each, index) => index >= line - 1 && /[\p{L}\p{N}]/u.test(each)) ?? '').trimEnd(),
  };
}

const findHeading = ({ page }: SourcePage, { line, start }: CutSection) =>
  page.headings.find((each) => page.lineOf(each.start) === line)?.start ?? start;

/** A part of the source with the edits for its new place. */
function applyPart(
  { source, inSection }: SectionEdits,
  start: number,
  end: number,
  more: readonly TargetEdit[] = [],
): string {
  const isCut = (edit: TargetEdit) => more.some((other) => other.start <= edit.start && edit.end <= other.end);
  const inside = inSection.filter((edit) => start <= edit.start && edit.end <= end && !isCut(edit));
  const shifted = [...inside, ...more].map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start }));
  return applyEdits(source.text.slice(start, end), shifted);
}

function cutText(edits: SectionEdits): string {
  const { source, section, place, staying } = edits;
  const start = findHeading(source, section);
  const second = endOfLine(source.text, start);
  const isUnderlined = !/^[ \t>]*#/.test(source.text.slice(start, second));
  const title = { line: 0, start, end: isUnderlined ? endOfLine(source.text, second) : second, replacement: '' };
  const removed = [...staying.map(remove), ...(place.isTitle ? [title] : [])];
  const text = applyPart(edits, section.start, section.end, removed);
  return `${text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()}\n`;
}

const copyText = (edits: SectionEdits, { start, end }: Definition) => applyPart(edits, start, end);

const remove = ({ start, end }: { start: number; end: number }): TargetEdit => ({
  line: 0,
  start,
  end,
  replacement: '',
});

/** Line ends that make it a block of its own. */
function separate(text: string, at: number, lineEnd: string): [lead: string, tail: string] {
  const [before, behind] = [text.slice(0, at), text.slice(at)];
  const lead =
    before.trim() === ''
      ? ''
      : /\n[ \t]*\r?\n$/.test(before)
        ? ''
        : before.endsWith('\n')
          ? lineEnd
          : lineEnd + lineEnd;
  return [lead, behind.trim() === '' || /^[ \t]*\r?\n/.test(behind) ? '' : lineEnd];
}

function listImportEdits(text: string, imports: readonly string[], lineEnd: string): TargetEdit[] {
  if (imports.length === 0) return [];
  const { at, lead, tail } = findImportPlace(text);
  const replacement = (lead + imports.join('\n') + tail).replaceAll('\n', lineEnd);
  return [{ line: 0, start: at, end: at, replacement }];
}

/** The section without what stays, with the blank lines around it. */
function listRemovals({ source, section, staying, copied }: SectionEdits): TargetEdit[] {
  const { text } = source;
  const isLast = staying.length === 0 && text.slice(section.end).trim() === '';
  const above = text.slice(0, section.start);
  const kept = above.trimEnd().length;
  // The line end of the last line before it stays.
  const blank = isLast && kept > 0 ? Math.max(0, section.start - endOfLine(text, kept)) : 0;
  const removals: TargetEdit[] = [];
  let at = section.start - blank;
  for (const { start, end } of staying.toSorted((a, b) => a.start - b.start)) {
    removals.push(remove({ start: at, end: start }));
    at = end;
  }
  removals.push(remove({ start: at, end: section.end }));
  const others = copied.filter(({ isLeft, start }) => !isLeft && !(section.start <= start && start < section.end));
  return [...removals.filter(({ start, end }) => end > start), ...others.map(remove)];
}
