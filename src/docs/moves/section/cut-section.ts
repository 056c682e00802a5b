import { findLineStarts } from '../../line-of.ts';
import { findSections, listSections, type Section, showSection } from '../../pages/list-sections.ts';
import type { PageFormat } from '../../pages/page-format.ts';
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

/** The one section that a model names. */
export function cutSection(
  { path, text, format, page }: SourcePage,
  heading: string,
): { kind: 'section'; section: CutSection } | { kind: 'refused'; reason: string } {
  const lines = text.split('\n');
  const sections = listSections(page, lines.length);
  const [section, ...others] = findSections(sections, heading);
  const list = (shown: readonly Section[]) => shown.slice(0, maxListed).map(showSection).join('\n');
  if (section === undefined)
    return { kind: 'refused', reason: `${path} has no heading ${heading.slice(0, 120)}; it has:\n${list(sections)}` };
  if (others.length > 0)
    return {
      kind: 'refused',
      reason: `${path} has several such headings; give the line of one:\n${list([section, ...others])}`,
    };
  const starts = findLineStarts(text);
  const begin = (line: number) => starts[findNames(lines, line, format)] ?? text.length;
  const end = section.last < lines.length ? begin(section.last) : text.length;
  return { kind: 'section', section: { ...section, start: begin(section.line - 1), end } };
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
