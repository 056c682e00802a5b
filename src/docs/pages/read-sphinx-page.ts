import { blankLiterals, type Directive, indentOf, isCodeDirective, type PlacedText, readRst } from '../formats/rst.ts';
import { findLineStarts } from '../line-of.ts';
import { listRstLinkFaults } from './list-link-faults.ts';
import type { Link } from './list-links.ts';
import { emptyPage, type Page, readPage, toHeading } from './read-page.ts';
import { docutilsSlug, githubSlug } from './slugs.ts';
import { readDirectives, readRoleLinks } from './sphinx-directives.ts';

const role = /:([a-z][\w:+.-]{0,40}):`([^`]{1,500})`/gi;
const mystRole = /\{([a-z][\w:+.-]{0,40})\}`([^`]{1,500})`/gi;
/** `` `text <address>`_ ``, and no role. */
const hyperlink = /(?<![\w:`])`([^`<>]{0,300}<)([^`<>\s]{1,500})>`__?/g;
const inlineTarget = /(?<![\w`])_`([^`\n]{1,200})`/g;
const field = /^:(orphan|tocdepth|nosearch|redirect):[ \t]*(\S.*)?$/gm;

/** A page of Sphinx in reStructuredText. */
export function readRstPage(text: string): Page {
  const { titles, directives, targets, untitled, declared, prose } = readRst(text);
  const found = readDirectives(directives);
  const labels = [...targets.map((each) => each.text), ...found.labels].map(normalizeLabel);
  const roles = Array.from(prose.matchAll(role), ({ 1: name = '', 2: inside = '', index }) =>
    readRoleLinks(name, inside, index + name.length + 3),
  ).flat();
  const names = Array.from(prose.matchAll(inlineTarget), ([, name = '']) => name);
  const fields = Array.from(text.matchAll(field), ([, name = '', value]) => [name, value ?? true] as const);
  const page = emptyPage(text);
  return {
    ...page,
    frontMatter: { ...page.frontMatter, data: Object.fromEntries(fields) },
    headings: titles.map((title) => toHeading(stripRoles(title.text), title)),
    links: [...found.links, ...roles, ...listHyperlinks(prose)].toSorted((a, b) => a.start - b.start),
    linkFaults: listRstLinkFaults(text, prose, new Set(declared.map(normalizeLabel))),
    parts: found.parts,
    excerpts: found.excerpts,
    included: found.generators,
    ids: new Set([...labels, ...[...labels, ...names].map(docutilsSlug)]),
    titles: titles.map((title) => title.text),
    labels,
    untitledLabels: new Set(untitled.map(normalizeLabel)),
    entries: found.entries,
  };
}

/** https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#reference-names */
export const normalizeLabel = (name: string): string => name.replace(/\s+/g, ' ').trim().toLowerCase();

/** :kbd:`x` and ``x`` are x, `text <address>`_ is text. */
const stripRoles = (title: string): string =>
  title
    .replace(/:[a-z][\w:+.-]{0,40}:(?=`)/gi, '')
    .replace(/`([^`<]{0,500})<[^<>`]{0,500}>`_{0,2}/g, '$1')
    .replace(/`{1,2}([^`]+)`{1,2}(?:__?)?/g, '$1')
    .replace(/\*{1,2}([^*]+)\*{1,2}/g, '$1')
    .replace(/\\(.)/g, '$1')
    .trim();

const listHyperlinks = (prose: string): Link[] =>
  Array.from(prose.matchAll(hyperlink)).flatMap(({ 1: before = '', 2: target = '', index }): Link[] => {
    const start = index + 1 + before.length;
    return target.endsWith('_') ? [] : [{ target, start, end: start + target.length, kind: 'link', form: 'inline' }];
  });

const fence =
  /^([ \t>]{0,200}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,9}){0,9})(`{3,}|~{3,}|:{3,})[ \t]{0,9}(?:\{([A-Za-z][\w:.+-]{0,99})\}(.*)$)?/;
const mystLabel = /^[ \t>]*\(([^()\n]{1,200})\)=[ \t]*$/gm;

/** A page of Sphinx in Markdown: https://myst-parser.readthedocs.io/en/latest/syntax/roles-and-directives.html */
export function readMystPage(text: string): Page {
  const { markdown, prose, directives, rst } = cutDirectives(text);
  const page = readPage(markdown, { isMdx: false });
  const found = readDirectives(directives);
  const roles = Array.from(prose.matchAll(mystRole), ({ 1: name = '', 2: inside = '', index }) =>
    readRoleLinks(name, inside, index + name.length + 3),
  ).flat();
  const others = rst.map(({ text: inside, start }) => shift(readRstPage(inside), start));
  const names = Array.from(prose.matchAll(mystLabel), ([, name = '']) => name);
  const labels = [...names, ...found.labels, ...page.ids, ...others.flatMap((each) => each.labels)].map(normalizeLabel);
  return {
    ...page,
    links: [...page.links, ...found.links, ...roles, ...others.flatMap(({ links }) => links)],
    excerpts: [...found.excerpts, ...others.flatMap(({ excerpts }) => excerpts)],
    parts: [...found.parts, ...others.flatMap(({ parts }) => parts)],
    included: [...found.generators, ...others.flatMap(({ included }) => included)],
    ids: new Set([
      ...page.ids,
      ...labels,
      ...labels.map(docutilsSlug),
      ...page.headings.map((heading) => githubSlug(heading.text)),
    ]),
    labels,
    entries: [...found.entries, ...others.flatMap(({ entries }) => entries)],
  };
}

/** Parts of a page in reStructuredText, with their places in the whole page. */
function shift({ links, parts, excerpts = [], included, labels = [], entries = [] }: Page, by: number) {
  const move = <Placed extends { start: number; end: number }>(each: Placed): Placed => ({
    ...each,
    start: each.start + by,
    end: each.end + by,
  });
  const placed = excerpts.map((each) => ({ ...each, start: each.start + by }));
  const moved = { links: links.map(move), parts: parts.map(move), entries: entries.map(move) };
  return { ...moved, excerpts: placed, included, labels };
}

const maxOptions = 100;

/** Takes the marks of directives away, so that their content is read like the rest of the page. */
function cutDirectives(text: string): { markdown: string; prose: string; directives: Directive[]; rst: PlacedText[] } {
  const lines = text.split('\n');
  const starts = findLineStarts(text);
  const [markdown, prose] = [[...lines], [...lines]];
  const directives: Directive[] = [];
  const rst: PlacedText[] = [];
  const open: string[] = [];
  const blank = (target: string[], from: number, to: number) => {
    for (let each = from; each < to; each += 1) target[each] = (target[each] ?? '').replace(/[^\r]/g, ' ');
  };
  let at = 0;
  while (at < lines.length) {
    const line = (lines[at] ?? '').trimEnd();
    const [whole = '', margin = '', mark, name, argument = ''] = fence.exec(line) ?? [];
    const info = line.slice(whole.length);
    if (mark === undefined) {
      at += 1;
      continue;
    }
    const isEnd = open.at(-1)?.[0] === mark[0] && mark.length >= (open.at(-1)?.length ?? 0);
    if (name === undefined && info === '' && isEnd) {
      open.pop();
      blank(markdown, at, at + 1);
      at += 1;
      continue;
    }
    // Nobody looks for the end of what is read like the rest: all of them may stay open.
    const isShown = name === undefined ? mark.startsWith(':') : !isCodeDirective(name);
    const end = isShown ? Math.min(lines.length, at + maxOptions) : findFenceEnd(lines, at + 1, mark);
    if (name === undefined) {
      if (!mark.startsWith(':')) blank(prose, at, end + 1);
      at = mark.startsWith(':') ? at + 1 : end + 1;
      continue;
    }
    const column = margin.length + mark.length + (lines[at] ?? '').slice(margin.length + mark.length).indexOf('}') + 1;
    const isCode = isCodeDirective(name);
    const { options, next } = readOptions(at + 1, end);
    const count = isCode ? Math.max(0, end - next) : 0;
    const spans = Array.from({ length: count }, (_, each) => spanAt(next + each));
    const body = spans.filter(({ text: inside }) => inside !== '');
    directives.push({ name, argument: spanAt(at, column + indentOf(argument)), options, body });
    if (isCode) {
      if (name === 'eval-rst')
        rst.push({ text: lines.slice(at + 1, end).join('\n'), start: starts[at + 1] ?? text.length });
      blank(markdown, at, end + 1);
      blank(prose, at, end + 1);
      at = end + 1;
    } else {
      open.push(mark);
      blank(markdown, at, next);
      at = next;
    }
  }
  return { markdown: markdown.join('\n'), prose: blankLiterals(prose.join('\n')), directives, rst };

  function spanAt(line: number, column = indentOf(lines[line] ?? '')): PlacedText {
    return { text: (lines[line] ?? '').slice(column).trimEnd(), start: (starts[line] ?? 0) + column };
  }

  /** `:key: value`, or YAML between lines of `---`. */
  function readOptions(from: number, end: number): { options: Map<string, PlacedText>; next: number } {
    const options = new Map<string, PlacedText>();
    const isYaml = (lines[from] ?? '').trim() === '---';
    let next = isYaml ? from + 1 : from;
    for (; next < end; next += 1) {
      const line = lines[next] ?? '';
      if (isYaml && line.trim() === '---') return { options, next: next + 1 };
      const [opening, key] = /^[ \t>]*:?([\w-]+):(?:[ \t]+|$)/.exec(line.trimEnd()) ?? [];
      const isMarked = isYaml || line.trimStart().replace(/^> ?/, '').startsWith(':');
      if (opening === undefined || key === undefined || !isMarked) break;
      options.set(key, spanAt(next, opening.length));
    }
    return { options, next };
  }
}

/** The line that closes a fence; behind the last one if none does. */
function findFenceEnd(lines: readonly string[], from: number, mark: string): number {
  for (let at = from; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').replace(/^[\s>]+/, '').trimEnd();
    if (line.length >= mark.length && line[0] === mark[0] && line === mark[0]?.repeat(line.length)) return at;
  }
  return lines.length;
}
