import { type FrontMatter, readFrontMatter } from '../formats/front-matter.ts';
import { createLineOf } from '../line-of.ts';
import { blankCode } from './blank-code.ts';
import { type Excerpt, listExcerpts } from './list-excerpts.ts';
import { type Heading, listHeadings, stripMarks } from './list-headings.ts';
import { type LinkFault, listReferenceFaults } from './list-link-faults.ts';
import { type Link, listLinks } from './list-links.ts';
import { listTags, type Tag } from './list-tags.ts';

export interface Page {
  frontMatter: FrontMatter;
  headings: Heading[];
  links: Link[];
  linkFaults?: readonly LinkFault[];
  tags: Tag[];
  /** The paths of imports and includes, in the syntax of any framework. */
  parts: IncludedPart[];
  /** Places in other files that the page shows, also as code. */
  excerpts?: readonly Excerpt[];
  /** Files that shortcodes include: each theme looks for them in places of its own. */
  included: string[];
  /** Ids that the page declares: attributes of tags, `{#id}` anywhere, empty links with an id. */
  ids: Set<string>;
  /** Texts of components that become anchors, such as titles of tabs and steps. */
  titles: string[];
  /** Names by which any page of the site may link to a place of this one. */
  labels?: readonly string[];
  /** Those of them that have no title: a link has to bring its text. */
  untitledLabels?: ReadonlySet<string>;
  /** Entries of the navigation that the page holds. */
  entries?: readonly PageEntry[];
  lineOf(position: number): number;
}

/** `start` to `end`: the path as it is written. */
export interface IncludedPart {
  target: string;
  start: number;
  end: number;
  kind: 'import' | 'include';
  /** The path of a file, and no name that a bundler resolves. */
  isPath?: true;
}

/** As it is written. */
export interface PageEntry {
  target: string;
  start: number;
  end: number;
  /** It stands for all pages that match. */
  isPattern: boolean;
}

/** A page of a markup without front matter, tags and anchors of components. */
export const emptyPage = (text: string) => ({
  frontMatter: { data: {}, fault: undefined, links: [] },
  tags: [],
  titles: [],
  lineOf: createLineOf(text),
});

/** A heading whose markup gives it no id, with and without marks. */
export const toHeading = (
  text: string,
  { text: written, depth, start }: Pick<Heading, 'text' | 'depth' | 'start'>,
): Heading => ({ depth, text, written, bareText: undefined, id: undefined, start });

const idAttributes = ['id', 'name', 'anchor'];
const titleAttributes = ['title', 'label', 'path', 'query', 'body', 'header', 'name', 'value'];
/** VitePress, Fumadocs, MkDocs and GitBook. */
const includes =
  /<!--\s*@include:\s*([^\s#{]{1,500}?)(?=[\s#{]|-->)|<include\b[^>]{0,200}>([^<]{1,500})<|--8<--\s+"([^"]+)"|(?<!\{)\{%\s*include\s+"([^"]+)"|\{\{#include\s+([^\s:}]+)/g;
const imports = /^[ \t]*import\s+(?:[^'"]{0,1000}?\bfrom\s*)?['"]([^'"]+)['"]/gm;
/** Of Markdown attributes outside of headings: `[](){ #x }`, `{: #x }`. */
const attributeIds = /\{:?(?:[^{}\n]{0,300}?[ \t])?(?:#|id=["']?)([^\s{}"']+)(?=[\s}"'])[^{}\n]*\}/g;
/** Of MkDocs: https://squidfunk.github.io/mkdocs-material/reference/content-tabs/ */
const tabTitles = /^[ \t]*(?:===|!!!|\?\?\?)[!+]?[ \t]+(?:[\w-]+[ \t]+)*"([^"\n]+)"/gm;
/** https://gohugo.io/shortcodes/, https://www.docsy.dev/docs/adding-content/shortcodes/ */
const shortcodes =
  /\{\{[%<][ \t]{0,9}[\w./-]{0,99}(?:include|readfile)[\w./-]{0,99}[ \t]{1,9}(?:\w{1,20}=)?"([^"\n]{1,500})"/g;
/** https://gohugo.io/configuration/markup/#parserautodefinitiontermid */
const definitionTerms = /^([^\n]{1,200})\n{1,2}:[ \t]+/gm;
const commentWords = /<!--([^<>]*)-->/g;

/** Reads a page in one pass, in linear time. Nothing in it is run. */
export function readPage(text: string, { isMdx }: { isMdx: boolean }): Page {
  const { prose, proseAndComments, scripts } = blankCode(text, { isMdx });
  const tags = listTags(prose);
  const headings = listHeadings(prose, text);
  const frontMatter = readFrontMatter(text);
  return {
    frontMatter,
    headings,
    links: [...frontMatter.links, ...listLinks(prose, tags)],
    linkFaults: listReferenceFaults(prose, text),
    tags,
    parts: [...scripts.flatMap(listImports), ...listIncludes(proseAndComments)],
    ...listExcerpts(text),
    included: listIncluded(prose),
    ids: new Set([
      ...headings.flatMap(({ id }) => id ?? []),
      ...tags.flatMap((tag) => readAttributes(tag, idAttributes)),
      ...Array.from(prose.matchAll(attributeIds), ([, id = '']) => id),
      // A hook of the site may turn a comment into an anchor.
      ...Array.from(proseAndComments.matchAll(commentWords), ([, words = '']) => words.trim().split(/\s+/))
        .flat()
        .flatMap((word) => [word, `+${word}`]),
    ]),
    titles: [
      ...tags.flatMap((tag) => readAttributes(tag, titleAttributes)),
      ...listSummaries(tags, text),
      ...(/===|!!!|\?\?\?/.test(prose) ? listTabs(prose, headings) : []),
      ...(prose.includes('\n:') ? listTerms(prose, text) : []),
    ],
    lineOf: createLineOf(text),
  };
}

const listIncluded = (prose: string): string[] => [
  ...Array.from(prose.matchAll(shortcodes), ([, path = '']) => path),
  ...(/\{[{%]/.test(prose) ? listOpenShortcodes(prose) : []),
  ...(prose.includes('::: ') ? Array.from(prose.matchAll(documentedModule), ([whole]) => whole) : []),
];

/** https://mkdocstrings.github.io/usage/#autodoc-syntax: headings and anchors of a module. */
const documentedModule = /^::: [A-Za-z_]\w*(?:\.\w+)+$/gm;
const closedShortcode = /\{\{%[ \t]{0,9}\/[ \t]{0,9}([\w/.-]{1,99})/g;

/** Of Jekyll: without headings. */
const harmlessInclude = /toc|nav|head|foot|note|warn|tip|alert|image|img|figure|video|youtube|button|copy|badge|label/i;

/** Shortcodes and includes that may have headings: alone on a line, with an output in Markdown, and those in headings. https://gohugo.io/content-management/shortcodes/#notation */
function listOpenShortcodes(prose: string): string[] {
  const closed = new Set(Array.from(prose.matchAll(closedShortcode), ([, name = '']) => name));
  return prose.split('\n').flatMap((line) => {
    if (!line.includes('{{') && !line.startsWith('{%')) return [];
    if (/^#{1,6}[ \t]/.test(line)) return [line];
    const included = /^\{%-?[ \t]*include(?:_relative)?[ \t]+([\w./-]+)/.exec(line)?.[1];
    if (included !== undefined) return harmlessInclude.test(included) ? [] : [included];
    const name = /^[ \t>*-]*\{\{%[ \t]*(\w[\w/.-]*)/.exec(line)?.[1];
    const isKnown = name === undefined || closed.has(name) || (/include|readfile/.test(name) && line.includes('"'));
    return isKnown || !line.trimEnd().endsWith('%}}') ? [] : [name];
  });
}

const listImports = ({ text, start }: { text: string; start: number }): IncludedPart[] =>
  Array.from(text.matchAll(imports), ({ 0: whole, 1: target = '', index }) => {
    const end = start + index + whole.length - 1;
    return { target, start: end - target.length, end, kind: 'import' };
  });

const listIncludes = (text: string): IncludedPart[] =>
  Array.from(text.matchAll(includes), (found) => {
    const [whole, ...paths] = found;
    const written = paths.find((path) => path !== undefined) ?? '';
    const target = written.replace(/#.*|--$/, '').trim();
    const start = found.index + whole.lastIndexOf(target);
    // Of mdBook: always relative to the page.
    const isPath = whole.startsWith('{{#') && target.includes('.');
    return { target, start, end: start + target.length, kind: 'include', ...(isPath && { isPath }) };
  });

const readAttributes = ({ attributes }: Tag, names: readonly string[]) =>
  names.flatMap((name) => attributes.get(name)?.value ?? []);

/** With the heading above, too: https://facelessuser.github.io/pymdown-extensions/extensions/tabbed/#tab-ids */
const listTabs = (prose: string, headings: readonly Heading[]): string[] =>
  Array.from(prose.matchAll(tabTitles)).flatMap(({ 1: title = '', index }) => {
    const above = headings.findLast(({ start }) => start < index);
    return above === undefined ? [title] : [title, `${above.text} ${title}`];
  });

const listTerms = (prose: string, text: string): string[] =>
  Array.from(prose.matchAll(definitionTerms), ({ 1: term = '', index }) =>
    stripMarks(text.slice(index, index + term.length)),
  );

function listSummaries(tags: readonly Tag[], text: string): string[] {
  return tags.flatMap((tag, index) => {
    const closing = tags[index + 1];
    const isSummary = tag.name === 'summary' && !tag.isClosing && closing?.name === 'summary';
    return isSummary ? [stripMarks(text.slice(tag.end, closing.start))] : [];
  });
}
