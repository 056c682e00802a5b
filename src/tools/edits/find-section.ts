import { formatOf } from '../../docs/page-extensions.ts';
import { findSections, listSections, type Section, showSection } from '../../docs/pages/list-sections.ts';
import { readAnyPage } from '../../docs/pages/page-reader.ts';

const maxHeadings = 40;

/** The one section that a model names. `reason` lists the existing ones. */
export function findSection(
  path: string,
  text: string,
  wanted: string,
  /** How else to say which place is meant. */
  instead: string,
): { kind: 'section'; section: Section } | { kind: 'refused'; reason: string } {
  const sections = listSections(readAnyPage(text, formatOf(path)), text.split('\n').length);
  const [section, ...others] = findSections(sections, wanted);
  const shown = (section === undefined ? sections : [section, ...others]).slice(0, maxHeadings).map(showSection);
  if (section === undefined)
    return { kind: 'refused', reason: `${path} has no heading ${wanted.slice(0, 120)}; it has:\n${shown.join('\n')}` };
  return others.length === 0
    ? { kind: 'section', section }
    : {
        kind: 'refused',
        reason: `${path} has several such headings; give the line of one, or ${instead}:\n${shown.join('\n')}`,
      };
}

/** The section's last line that is not blank, so that blank lines before the next section stay. */
export function lastWritten(text: string, { line, last }: Section): number {
  const lines = text.split('\n');
  let end = last;
  while (end > line && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return end;
}
