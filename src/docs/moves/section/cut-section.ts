import { readRst } from '../../formats/rst.ts';
import { findLineStarts } from '../../line-of.ts';
import type { PageFormat } from '../../page-extensions.ts';
import { blankCode } from '../../pages/blank-code.ts';
import { findSections, listSections, type Section, showSection } from '../../pages/list-sections.ts';
import { listTags } from '../../pages/list-tags.ts';
import type { Page } from '../../pages/read-page.ts';

/** A page as it is before the move. */
export interface SourcePage {
  path: string;
  text: string;
  format: PageFormat;
  page: Page;
}

/** The page that a section comes to. */
export interface TargetPage extends SourcePage {
  isNew: boolean;
}

/** Positions in the page: from the names above its heading to those of the next one. */
export interface CutSection extends Section {
  start: number;
  end: number;
}

const maxListed = 40;
const emptyAnchor = /^[ \t>]*(?:<a\s[^<>]*>[ \t]*<\/a>|\[\]\(\)\{[^{}]*\})[ \t]*$/;

/** Lines above a heading that give it a name. */
const names: Record<PageFormat, RegExp> = {
  markdown: emptyAnchor,
  mdx: emptyAnchor,
  quarto: emptyAnchor,
  myst: /^[ \t]*(?:\([^()]+\)=|<a\s[^<>]*>[ \t]*<\/a>)[ \t]*$/,
  rst: /^\.\. _(?:`[^`]+`|[^:`]+):[ \t]*$/,
  asciidoc: /^\[[^\]]*\]{1,2}[ \t]*$/,
};

/** The one section that a model names, or why it cannot be cut. */
export function cutSection({ path, text, format, page }: SourcePage, heading: string): CutSection | string {
  const lines = text.split('\n');
  const sections = listSections(page, lines.length);
  const [section, ...others] = findSections(sections, heading);
  const list = (shown: readonly Section[]) => shown.slice(0, maxListed).map(showSection).join('\n');
  if (section === undefined) return `${path} has no heading ${heading.slice(0, 120)}; it has:\n${list(sections)}`;
  if (others.length > 0)
    return `${path} has several such headings; give the line of one:\n${list([section, ...others])}`;
  const starts = findLineStarts(text);
  const begin = (line: number) => starts[findNames(lines, line, format)] ?? text.length;
  const end = section.last < lines.length ? begin(section.last) : text.length;
  return { ...section, start: begin(section.line - 1), end };
}

/** The line, from 0, where the names above a heading begin. */
function findNames(lines: readonly string[], heading: number, format: PageFormat): number {
  let first = heading;
  for (let at = heading - 1; at >= 0; at -= 1) {
    const line = (lines[at] ?? '').trimEnd();
    if (names[format].test(line)) first = at;
    else if (line !== '') break;
  }
  return first;
}

/** Where a section goes. */
export interface SectionPlace {
  /** A position in the target, or at the end of `header`. */
  at: number;
  /** The level of its heading. */
  depth: number;
  /** What a new page begins with. */
  header: string;
  /** Its heading is the title in `header`. */
  isTitle: boolean;
}

/** `after`: a heading that it follows, at its level. After the title of a page, it is the first section; by default, the last one. */
export function placeSection(options: {
  source: SourcePage;
  section: CutSection;
  target: TargetPage;
  after: string | undefined;
}): SectionPlace | string {
  const { source, section, target, after } = options;
  const place = { header: '', isTitle: false };
  if (target.isNew) {
    const isTitle =
      typeof source.page.frontMatter.data.title === 'string' && /^(?:markdown|mdx|quarto)$/.test(target.format);
    const header = isTitle ? `---\ntitle: ${quote(section.heading)}\n---\n` : '';
    return { ...place, at: header.length, depth: 1, header, isTitle };
  }
  const { headings } = target.page;
  const [first, ...others] = headings;
  const title = first?.depth === 1 && others.every(({ depth }) => depth > 1) ? first : undefined;
  const isOwn = source.path === target.path;
  const rest = headings.filter(
    (each) => each !== title && !(isOwn && section.start <= each.start && each.start < section.end),
  );
  const top = rest.length === 0 ? 2 : Math.min(...rest.map(({ depth }) => depth));
  if (after === undefined) return { ...place, at: target.text.length, depth: top };
  const before = cutSection(target, after);
  if (typeof before === 'string') return before;
  if (isOwn && section.start <= before.start && before.start < section.end)
    return 'a section cannot follow itself or a part of it';
  if (title !== undefined && before.line === target.page.lineOf(title.start)) {
    const [next] = others;
    const at = next === undefined ? undefined : cutSection(target, String(target.page.lineOf(next.start)));
    return { ...place, at: typeof at === 'object' ? at.start : target.text.length, depth: top };
  }
  return { ...place, at: before.end, depth: before.depth };
}

const quote = (title: string) =>
  /^[\p{L}\p{N}][^:#"'\\]*$/u.test(title) && !/^[\d.]+$|^(?:true|false|yes|no|null)$/i.test(title)
    ? title
    : JSON.stringify(title);

/** Elements of HTML that need no end. */
const mayStayOpen =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option)$/i;

/** A tag that the section opens and does not close, or closes and does not open. */
export function findOpenTag({ text, format }: SourcePage, { start, end }: CutSection): string | undefined {
  if (format === 'rst' || format === 'asciidoc') return undefined;
  const prose = proseOf(text, format);
  const open: string[] = [];
  for (const tag of listTags(prose)) {
    if (tag.start < start || tag.start >= end || mayStayOpen.test(tag.name)) continue;
    if (tag.isClosing) {
      if (open.pop() !== tag.name) return tag.name;
    } else if (prose.slice(tag.end - 2, tag.end) !== '/>') open.push(tag.name);
  }
  return open[0];
}

export const proseOf = (text: string, format: PageFormat): string =>
  format === 'rst' ? readRst(text).prose : blankCode(text, { isMdx: format === 'mdx' }).prose;
