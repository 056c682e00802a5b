import { blankCode } from './blank-code.ts';
import type { Link } from './list-links.ts';
import { type Page, readPage } from './read-page.ts';

/** Of any indentation, also in a cell. https://quarto.org/docs/authoring/includes.html */
const include = /\{\{<[ \t]{1,9}include[ \t]{1,9}([^\s">]{1,500})[ \t]{1,9}>\}\}/g;
/** https://quarto.org/docs/authoring/cross-references.html */
const label = /^[ \t]*(?:#|\/\/|%%)\| *label: *["']?([\w-]{1,200})["']? *$/gm;
/** Of sections: other labels may come from code. https://quarto.org/docs/books/book-crossrefs.html */
const sectionReference = /(?<![\w@\\/.-])-?@(sec-[\w-]{0,200}\w)/g;
/** Code of the page that writes text. */
const writesText = /\boutput: *["']?asis|\bresults *[:=] *["']?(?:asis|markup-asis)|\bknit_child\b/;
const attributes = /(?<![ \t])[ \t]*\{(?!\{)(?:[^{}]|\{[^{}]{0,200}\}){0,500}\}[ \t]*$/;
const onEveryPage = [
  'title-block-header',
  'quarto-document-content',
  'quarto-content',
  'refs',
  'footnotes',
  'references',
];

/** Lists of other pages, and filters of the repository. */
const hasMadeText = ({ frontMatter: { data } }: Page): boolean =>
  data.listing !== undefined || [data.filters].flat().some((filter) => /\.lua$/.test(String(filter)));

/** A page of Quarto, or of R Markdown. Nothing in it is run. */
export function readQuartoPage(text: string): Page {
  const page = readPage(text, { isMdx: false });
  const { prose, proseAndComments } = blankCode(text, { isMdx: false });
  return {
    ...page,
    links: [...page.links, ...listReferences(prose)],
    labels: [...page.ids].filter((id) => id.startsWith('sec-')),
    headings: page.headings.map((heading) => ({
      ...heading,
      text: heading.text.replace(attributes, ''),
      written: heading.written.replace(attributes, ''),
    })),
    parts: [
      ...page.parts,
      ...Array.from(proseAndComments.matchAll(include), ({ 0: whole, 1: target = '', index }) => {
        const start = index + whole.indexOf(target, whole.indexOf('include') + 'include'.length);
        return { target, start, end: start + target.length, kind: 'include' as const, isPath: true as const };
      }),
    ],
    included: [...page.included, ...(writesText.test(text) || hasMadeText(page) ? ['{made}'] : [])],
    ids: new Set([...page.ids, ...Array.from(text.matchAll(label), ([, id = '']) => id), ...onEveryPage]),
  };
}

const listReferences = (prose: string): Link[] =>
  Array.from(prose.matchAll(sectionReference), ({ 0: whole, 1: target = '', index }) => {
    const end = index + whole.length;
    return { target, start: end - target.length, end, kind: 'link', form: 'label' };
  });
