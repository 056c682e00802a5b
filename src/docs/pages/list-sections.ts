import type { Page } from './read-page.ts';
import { githubSlug } from './slugs.ts';

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
export function listSections({ headings, lineOf }: Page, total: number): Section[] {
  const sections = headings.map(({ start, depth, text: heading, id }) => ({
    line: lineOf(start),
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

/** The sections that a model names: by the heading's text, with or without its marks, by `#id`, or by its line. */
export function findSections(sections: readonly Section[], wanted: string): Section[] {
  const name = fold(wanted.replace(/^\s*#{1,6}\s+/, ''));
  const id = wanted.trim().replace(/^#/, '').toLowerCase();
  const same = sections.filter(({ heading }) => fold(heading) === name);
  const exact = same.filter(({ heading }) => heading === wanted.trim());
  if (same.length > 0) return exact.length > 0 ? exact : same;
  const named = sections.filter((section) => (section.id ?? githubSlug(section.heading)).toLowerCase() === id);
  return named.length > 0 ? named : sections.filter(({ line }) => String(line) === wanted.trim());
}

export const showSection = ({ line, depth, heading }: Section): string => `${line}: ${'#'.repeat(depth)} ${heading}`;

/** Dashes and quotation marks are often written otherwise. */
const fold = (heading: string) =>
  heading
    .replace(/[`*_"'\p{Pi}\p{Pf}]/gu, '')
    .replace(/[\s\p{Pd}]+/gu, ' ')
    .trim()
    .toLowerCase();
