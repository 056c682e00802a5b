import { readRst } from '../../formats/rst.ts';
import { blankCode } from '../../pages/blank-code.ts';
import type { PageFormat } from '../../pages/page-format.ts';
import type { CutSection } from './cut-section.ts';
import { type Definition, type LabelUse, listDefinitions, listUses } from './list-definitions.ts';

interface Carried {
  /** Inside of the section, and needed only outside of it: they stay. */
  staying: Definition[];
  /** Needed where the section goes, and not defined there. `isLeft`: also needed where it was. */
  copied: (Definition & { isLeft: boolean })[];
  /** Uses and definitions of footnotes whose label means another one there. */
  renamed: (LabelUse & { label: string })[];
}

export const proseOf = (text: string, format: PageFormat): string =>
  format === 'rst' ? readRst(text).prose : blankCode(text, { isMdx: format === 'mdx' }).prose;

/** The definitions of links and footnotes that a section takes along. */
export function carryDefinitions(
  source: { path: string; text: string; format: PageFormat },
  { start, end }: CutSection,
  target: { path: string; text: string; format: PageFormat },
): ({ kind: 'carried' } & Carried) | { kind: 'refused'; reason: string } {
  const carried: Carried = { staying: [], copied: [], renamed: [] };
  if (source.path === target.path) return { kind: 'carried', ...carried };
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
        return {
          kind: 'refused',
          reason: `both ${source.path} and ${target.path} define [${each.label}], with other meanings; rename one first`,
        };
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
  return { kind: 'carried', ...carried };
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
