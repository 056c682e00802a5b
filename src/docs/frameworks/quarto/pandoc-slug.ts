import { stripMarks } from '../../pages/list-headings.ts';
import type { Slug } from '../../pages/slugs.ts';

/** `auto_identifiers` of a heading with its marks: https://pandoc.org/MANUAL.html#extension-auto_identifiers */
export const pandocSlug: Slug = (written) => {
  const text = written
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : writeSmart(part)))
    .join('');
  const id = stripMarks(text.replace(/\^?\[\^[^\]]{1,99}\]|\^\[[^\]]{0,500}\]/g, ''))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_.-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
    .replace(/^[^\p{L}]+/u, '');
  return id === '' ? 'section' : id;
};

/** Without attributes of spans, and without dashes and dots that become characters which ids do not have: https://pandoc.org/MANUAL.html#extension-smart */
const writeSmart = (text: string) =>
  text
    .replace(/-{2,3}|\.{3}/g, '')
    .replace(/(?<=\])\{[^{}]{0,200}\}/g, '')
    .replace(/<br ?\/?>/gi, ' ');
