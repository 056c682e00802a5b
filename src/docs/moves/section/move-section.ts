import type { Documentation } from '../../documentation.ts';
import { formatOf } from '../../page-extensions.ts';
import { readAnyPage } from '../../pages/page-reader.ts';
import type { Page } from '../../pages/read-page.ts';
import { listAddresses, listGenerated, listTranslations } from '../../questions/find-references.ts';
import { createSiteLookup } from '../../questions/list-references.ts';
import type { Reading } from '../../reading.ts';
import { findFormat, type Site } from '../../sites/open-sites.ts';

import { type Move, readAfterMove } from '../move.ts';
import { carryDefinitions } from './carry-definitions.ts';
import { addImports, carryImports } from './carry-imports.ts';
import { composePages, type SectionEdits } from './compose-pages.ts';
import { cutSection, findOpenTag, placeSection, type SourcePage, type TargetPage } from './cut-section.ts';
import { fitHeadings } from './fit-headings.ts';
import { rewriteReferences } from './rewrite-references.ts';

export interface SectionInput {
  path: string;
  heading: string;
  to: string;
  /** A heading of `to` that it follows, at its level; by default, the end. */
  after?: string | undefined;
}

type SectionMove =
  | { kind: 'refused'; reason: string }
  | {
      kind: 'moved';
      /** The lines where it was. */
      first: number;
      last: number;
      /** Where it is now, as it is written there; undefined: it became the title of a new page. */
      line: number;
      written: string;
      /** The new texts of both pages: all or none. */
      pages: { path: string; text: string }[];
      /** What else had to change in these pages. */
      notes: string[];
      /** Anchors that readers find on the other page now. */
      anchors: string[];
      /** The addresses of the page that they were on. */
      addresses: string[];
      /** What leads to the section from other files. */
      move: Move;
    };

const refuse = (reason: string): SectionMove => ({ kind: 'refused', reason });

/** A question: the edits that move a section to another page, or to another place of its page, and keep what leads to it right. */
export function moveSection(documentation: Documentation, { path, heading, to, after }: SectionInput): SectionMove {
  const { head } = documentation;
  const siteOf = createSiteLookup(head);
  const site = siteOf(path);
  const source = site && readSource(head, site, path);
  if (site === undefined || source === undefined) return refuse(`${path} is no page of a documentation site`);
  const section = cutSection(source, heading);
  if (typeof section === 'string') return refuse(section);
  const target = readTarget(head, to, source);
  if (target === undefined) return refuse(`${to} is no page of a documentation site`);
  if (areApart(source, target))
    return refuse(`${path} and ${to} are not written in the same markup; write the section there by edit_file`);
  if (isWhole(source, section)) return refuse(`that section is the whole page; use move_file`);
  const tag = findOpenTag(source, section);
  if (tag !== undefined) return refuse(`the section ends inside of <${tag}>; move all of <${tag}> by edit_file`);
  const attribute = findAttribute(source, section, target);
  if (attribute !== undefined)
    return refuse(`the section uses {${attribute}}, which ${to} does not define; define it there first`);

  const place = placeSection({ source, section, target, after });
  if (typeof place === 'string') return refuse(place);
  const inside = source.page.headings.filter(({ start }) => section.start <= start && start < section.end);
  const fitted = fitHeadings(
    { ...source, headings: inside, lineOf: source.page.lineOf },
    place.depth - section.depth,
    target.isNew ? { ...source, page: source.page } : target,
  );
  if (fitted === undefined) return refuse('its headings would be more than six levels deep there');
  const carried = carryDefinitions(source, section, target);
  if (typeof carried === 'string') return refuse(carried);

  const edits: SectionEdits = {
    ...{ source, target, section, place, staying: carried.staying, copied: carried.copied, imports: [] },
    inSection: [
      ...fitted.filter((_, index) => index > 0 || !place.isTitle),
      ...carried.renamed.map(({ start, end, label }) => ({ line: 0, start, end, replacement: label })),
    ],
    inSource: [],
    inTarget: [],
  };
  const first = composePages(edits);
  const texts = new Map(first.pages.map((each) => [each.path, each.text]));
  const reading = readAfterMove(head, { from: path, to: path }, texts);
  const siteAfter = createSiteLookup(reading);
  const [own, other] = [siteAfter(path), siteAfter(to)];
  if (own === undefined || other === undefined) return refuse(`${to} is no page of a documentation site`);
  const counts = [own.pages.get(path), other.pages.get(to)].map((page) => page?.headings.length ?? 0);
  const lost = place.isTitle ? 1 : 0;
  const total = source.page.headings.length + (path === to ? 0 : target.page.headings.length) - lost;
  if ((path === to ? (counts[0] ?? 0) : (counts[0] ?? 0) + (counts[1] ?? 0)) !== total)
    return refuse(`its headings would not be read as headings in ${to}: look for a block that is left open there`);
  const rewritten = rewriteReferences({ head, after: reading, edits, count: inside.length });
  const { inSource, inTarget } = rewritten;
  const whole = { ...edits, inSection: [...edits.inSection, ...rewritten.inSection], inSource, inTarget };
  const linked = composePages(whole);
  const textOf = (name: string) => linked.pages.find((each) => each.path === name)?.text ?? '';
  const imports =
    path === to || isMarkup(source)
      ? { statements: [], behind: [] }
      : carryImports(documentation, {
          source: { path, text: source.text, site },
          target: { path: to, text: target.text, site: other },
          sourceAfter: { path, text: textOf(path), site: own },
          targetAfter: { path: to, text: textOf(to), site: other },
          tree: reading.tree,
        });
  if (typeof imports === 'string') return refuse(imports);
  const done = composePages({ ...whole, imports: imports.statements });
  return {
    ...{ kind: 'moved', first: section.line },
    last: source.page.lineOf(Math.max(section.start, lastWritten(source.text, section.end))),
    ...{ line: done.line, written: done.written, anchors: rewritten.anchors },
    pages: done.pages.map((page) =>
      page.path === path ? { path, text: addImports(page.text, imports.behind) } : page,
    ),
    notes: [
      ...imports.statements.map((statement) => `${to} imports it: ${statement}`),
      ...imports.behind.map((statement) => `${path} keeps ${statement}`),
      ...(carried.copied.length === 0
        ? []
        : [`took along ${carried.copied.map(({ label }) => `[${label}]`).join(', ')}`]),
      ...(carried.renamed.length === 0 ? [] : ['gave footnotes new labels']),
      ...describeLinks({ 'the section': rewritten.inSection, [path]: inSource, [to]: inTarget }),
    ],
    addresses: listAddresses(head, path),
    move: {
      ...{ edits: rewritten.others, left: rewritten.left },
      ...{ addresses: [], fallbacks: [], titles: [], redirect: undefined },
      ...{ translations: listTranslations(head, path), generated: listGenerated(head) },
    },
  };
}

function describeLinks(edits: Record<string, readonly unknown[]>): string[] {
  const counts = Object.entries(edits).flatMap(([where, { length }]) => (length === 0 ? [] : `${length} in ${where}`));
  return counts.length === 0 ? [] : [`updated links: ${counts.join(', ')}`];
}

function readSource({ tree }: Reading, site: Site, path: string): SourcePage | undefined {
  const [text, page, format] = [tree.read(path), site.pages.get(path), findFormat(site, path)];
  return text === undefined || page === undefined || format === undefined ? undefined : { path, text, page, format };
}

function readTarget(head: Reading, to: string, { format }: SourcePage): TargetPage | undefined {
  const site = createSiteLookup(head)(to);
  const there = site && readSource(head, site, to);
  if (there !== undefined) return { ...there, isNew: false };
  if (head.tree.paths.has(to)) return undefined;
  // Which markup the site reads in it is known when it is there.
  const own = formatOf(to) === 'markdown' && format !== 'rst' && format !== 'asciidoc' ? format : formatOf(to);
  return { path: to, text: '', page: readAnyPage('', own), format: own, isNew: true };
}

const isMarkup = ({ format }: SourcePage) => format === 'rst' || format === 'asciidoc';
const areApart = (one: SourcePage, other: SourcePage) =>
  one.format !== other.format && (isMarkup(one) || isMarkup(other));

const isWhole = ({ text, page, format }: SourcePage, { start, end }: { start: number; end: number }): boolean => {
  const rest = text.slice(0, start) + text.slice(end);
  const left: Page = readAnyPage(rest, format);
  return page.headings.length > 0 && left.headings.length === 0 && /^\s*$/.test(withoutHead(rest));
};

const withoutHead = (text: string) =>
  text.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\n---[ \t]*(?:\r?\n|$)/, '').replace(/^import\b.*$/gm, '');

/** Of AsciiDoc: an attribute of the header. */
function findAttribute(
  source: SourcePage,
  { start, end }: { start: number; end: number },
  target: TargetPage,
): string | undefined {
  if (source.format !== 'asciidoc') return undefined;
  const inside = source.text.slice(start, end);
  const used = Array.from(inside.matchAll(/\{([\w-]{1,100})\}/g), ([, name = '']) => name);
  return used.find((name) => name in source.page.frontMatter.data && !(name in target.page.frontMatter.data));
}

const lastWritten = (text: string, end: number): number => text.slice(0, end).trimEnd().length - 1;
