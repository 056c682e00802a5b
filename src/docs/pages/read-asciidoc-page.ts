import { readAsciiDoc } from '../formats/asciidoc.ts';
import { listTagged } from './list-excerpts.ts';
import type { Link } from './list-links.ts';
import { emptyPage, type Page, toHeading } from './read-page.ts';

const xref = /(?<![\\\w])xref:([^\s[\]]{1,500})\[/g;
/** `<<id,text>>`, also with a title for an id. */
const shortXref = /(?<!\\)<<([^<>,`\n]{0,299}[^<>,`\s])[ \t]{0,9}(?:,[^<>]{0,500})?>>/g;
const image = /(?<![\\\w])image::?([^\s[\]:][^\s[\]]{0,500})\[/g;
const ids =
  /\[\[{1,2}([^\s[\],]{1,200})|^\[[^\]\n]{0,200}?#([^\s\].,%#]{1,200})|\bid=["']?([^\s\],"']{1,200})|\banchor:([^\s[\]]{1,200})\[|\[[\w.-]{0,100}#([^\s\].,%#]{1,200})\]/gm;

/** Of attributes, anywhere. */
const definition = /^:([\w-]{1,100}):[ \t]+(\S.*)$/gm;
const reference = /\{([\w-]{1,100})\}/g;

/** A page of AsciiDoc. */
export function readAsciiDocPage(text: string): Page {
  const { headings, attributes, includes, conditional, prose } = readAsciiDoc(text);
  // Where attributes make headings, or the folder of images is another, nobody knows.
  const isUnknown = headings.some(({ text: title }) => title.includes('{'));
  const values = new Map(Array.from(prose.matchAll(definition), ([, name, value]) => [name, value?.trim()] as const));
  const expand = (id: string) => id.replace(reference, (whole, name) => values.get(name) ?? whole);
  const declared = Array.from(prose.matchAll(ids), (found) => found.slice(1).find((id) => id !== undefined) ?? '');
  const isConditional = ({ start }: Link) => conditional.some((line) => line.start <= start && start < line.end);
  const hasOwnImages = /^:imagesdir:/m.test(prose);
  const data = Object.fromEntries([...attributes].map(([name, { text: value }]) => [name, value]));
  const page = emptyPage(text);
  return {
    ...page,
    frontMatter: { ...page.frontMatter, data },
    headings: headings.map((heading) => toHeading(stripMarks(heading.text), heading)),
    links: [
      ...listMacros(prose, xref, 'link'),
      ...listMacros(prose, shortXref, 'link'),
      ...(hasOwnImages ? [] : listMacros(prose, image, 'image')),
    ]
      .map((link) => (isConditional(link) ? { ...link, isOpen: true as const } : link))
      .toSorted((a, b) => a.start - b.start),
    parts: includes.map(({ text: target, start }) => {
      return { target, start, end: start + target.length, kind: 'include', isPath: true };
    }),
    excerpts: listTagged(text),
    included: isUnknown ? ['{attribute}'] : [],
    ids: new Set(declared.map(expand)),
  };
}

const listMacros = (prose: string, macro: RegExp, kind: Link['kind']): Link[] =>
  Array.from(prose.matchAll(macro), ({ 0: whole, 1: target = '', index }) => {
    const start = index + whole.indexOf(target, whole.startsWith('<') ? 2 : whole.indexOf(':'));
    return { target, start, end: start + target.length, kind, form: 'resource' };
  });

const stripMarks = (title: string): string =>
  title
    .replace(/\[\[[^[\]]{0,200}\]\]|\banchor:[^[\s]{0,200}\[[^[\]]{0,200}\]/g, '')
    .replace(/\b(?:xref|link|https?):[^\s[\]]{0,500}\[([^[\]]{0,500})\]/g, '$1')
    .replace(/[`*_#]{1,2}([^`*_#]+)[`*_#]{1,2}/g, '$1')
    .trim();
