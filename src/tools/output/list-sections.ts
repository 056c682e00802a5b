import { formatOf } from '../../docs/pages/page-format.ts';
import { readAnyPage } from '../../docs/pages/read-any-page.ts';
import { githubSlug } from '../../docs/pages/slugs.ts';

export interface Section {
  /** The line of its heading, from 1. */
  line: number;
  /** Its last line, those below deeper headings included. */
  last: number;
  depth: number;
  heading: string;
  id: string | undefined;
}

/** The sections of a page, in order. `total`: how many lines it has. */
export function listSections(path: string, text: string, total: number): Section[] {
  const page = readAnyPage(text, formatOf(path));
  const sections = page.headings.map(({ start, depth, text: heading, id }) => ({
    line: page.lineOf(start),
    last: total,
    depth,
    heading,
    id,
  }));
  const open: Section[] = [];
  for (const section of sections) {
    for (let above = open.at(-1); above && above.depth >= section.depth; above = open.at(-1)) {
      above.last = section.line - 1;
      open.pop();
    }
    open.push(section);
  }
  return sections;
}

/** The sections that a model names: by the heading's text, with or without its marks, or by `#id`. */
export function findSections(sections: readonly Section[], wanted: string): Section[] {
  const name = fold(wanted.replace(/^\s*#{1,6}\s+/, ''));
  const id = wanted.trim().replace(/^#/, '').toLowerCase();
  const same = sections.filter(({ heading }) => fold(heading) === name);
  return same.length > 0
    ? same
    : sections.filter((section) => (section.id ?? githubSlug(section.heading)).toLowerCase() === id);
}

export const showSection = ({ line, depth, heading }: Section): string => `${line}: ${'#'.repeat(depth)} ${heading}`;

const fold = (heading: string) => heading.replace(/[`*_]/g, '').replace(/\s+/g, ' ').trim().toLowerCase();
