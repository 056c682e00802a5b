import type { Tag } from './list-tags.ts';

export interface Link {
  /** Without angle brackets, title and escapes. */
  target: string;
  /** Where the target stands in the page as it is written: a rewritten link replaces `start` to `end`. */
  start: number;
  end: number;
  kind: 'link' | 'image';
  form: LinkForm;
  /** Attributes behind it say how the browser opens it: `{target="_self"}`. */
  isRaw?: true;
  /** Of an image: no alternative text, not even an empty one in HTML, which says that the image is decoration. */
  isWordless?: true;
  /** A build may leave it out. */
  isOpen?: true;
  /** It shows the title of its target. */
  isTextless?: true;
}

/**
 * What a rewritten target has to be escaped for. `bracketed`: between `<` and `>`. The others are not escaped: `reference` is
 * a page in a tag of a template, `document` a page without its extension, `label` a name that a page declares, `path` a file,
 * `resource` a name of Antora.
 */
export type LinkForm =
  | 'inline'
  | 'bracketed'
  | 'autolink'
  | 'attribute'
  | 'yaml'
  | 'reference'
  | 'document'
  | 'label'
  | 'path'
  | 'resource';

/** https://spec.commonmark.org/0.31.2/#link-destination, with a title behind it. Addresses of Jekyll may begin with variables. */
const destination =
  /(?<=\])(\(\s*(?:\{\{-?[ \t]{0,9}site\.(?:base)?url[ \t]{0,9}-?\}\}){0,3})(?!\s)(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/y;
/** At any indentation, as MkDocs takes them inside of its blocks. */
const definition =
  /^([ \t>]*\[(?!\^)(?:[^\]\\]|\\.){1,999}\]:[ \t]*(?:\r?\n[ \t]*)?(?:\{\{-?[ \t]{0,9}site\.(?:base)?url[ \t]{0,9}-?\}\}){0,3})(?:<([^<>\n]*)>|(\S+))/gm;

const rawAttribute = /\{[^{}\n]{0,200}\b(?:target|download)\b/y;

/** https://spec.commonmark.org/0.31.2/#autolinks */
const autolink = /(<)([a-z][a-z\d+.-]{1,31}:[^\s<>]*)>/gi;

const linkAttributes = new Map<string, Link['kind']>([
  ['href', 'link'],
  ['to', 'link'],
  ['src', 'image'],
  ['poster', 'image'],
  ['srcdark', 'image'],
  ['darksrc', 'image'],
]);

/** Links and images of text without code: inline, by reference definitions, and in attributes of tags. */
export function listLinks(prose: string, tags: readonly Tag[]): Link[] {
  return [
    ...listInline(prose),
    ...(prose.includes(']:') ? listDefinitions(prose) : []),
    ...listMatches(prose, autolink, { kind: 'link', form: 'autolink' }),
    ...listAttributes(tags, prose),
    ...(prose.includes('{') ? listTemplateLinks(prose) : []),
  ].toSorted((a, b) => a.start - b.start);
}

function listInline(prose: string): Link[] {
  const links: Link[] = [];
  const brackets: { isImage: boolean; end: number }[] = [];
  for (let at = 0; at < prose.length; at += 1) {
    const character = prose[at];
    if (character === '\\') at += 1;
    else if (character === '\n' && prose[at + 1] === '\n') brackets.length = 0;
    else if (character === '[') brackets.push({ isImage: prose[at - 1] === '!', end: at + 1 });
    else if (character === ']') {
      const opening = brackets.pop();
      if (opening === undefined || prose[at + 1] !== '(') continue;
      destination.lastIndex = at + 1;
      const found = destination.exec(prose);
      const [, before = '', bracketed, bare] = found ?? [];
      const place = locate(at + 1 + before.length, bracketed, bare);
      rawAttribute.lastIndex = destination.lastIndex;
      const raw = found !== null && rawAttribute.test(prose) ? { isRaw: true as const } : {};
      const isWordless = opening.isImage && opening.end === at && !hasTitle(prose, destination.lastIndex);
      if (place.target !== '')
        links.push({ ...place, kind: opening.isImage ? 'image' : 'link', ...raw, ...(isWordless && { isWordless }) });
    }
  }
  return links;
}

/** A title, or attributes behind the link, may name the image. */
const hasTitle = (prose: string, end: number): boolean => prose[end] === '{' || /["')]/.test(prose[end - 2] ?? '');

const listDefinitions = (prose: string): Link[] =>
  Array.from(prose.matchAll(definition), ({ 1: before = '', 2: bracketed, 3: bare, index }) => ({
    ...locate(index + before.length, bracketed, bare),
    kind: 'link' as const,
  }));

/** Links whose target follows what the first group of a pattern matches. */
const listMatches = (prose: string, pattern: RegExp, { kind, form }: Pick<Link, 'kind' | 'form'>): Link[] =>
  Array.from(prose.matchAll(pattern), ({ 1: before = '', 2: target = '', index }) => {
    const start = index + before.length;
    return { target, start, end: start + target.length, kind, form };
  });

const listTemplateLinks = (prose: string): Link[] => [
  ...listPageReferences(prose),
  ...listMatches(prose, filteredAddress, { kind: 'link', form: 'bracketed' }),
  ...listMatches(prose, figure, { kind: 'image', form: 'bracketed' }),
];

/** https://gohugo.io/shortcodes/ref/, https://jekyllrb.com/docs/liquid/tags/#links */
const pageReference =
  /((?:\{\{[%<][ \t]{0,9}(?:rel)?ref[ \t]{1,9}(?:path=)?|\{%-?[ \t]{0,9}(?:link|post_url)[ \t]{1,9})["'`]?)([^\s"'`{}]{1,500})["'`]?[ \t]{0,9}[-/]?[%>]\}/g;

function listPageReferences(prose: string): Link[] {
  const shown = listShown(prose);
  const isShown = (link: Link) => shown.some(({ start, end }) => start < link.start && link.start < end);
  return listMatches(prose, pageReference, { kind: 'link', form: 'reference' }).filter((link) => !isShown(link));
}

/** Blocks whose tags are text. */
const listShown = (prose: string): { start: number; end: number }[] =>
  Array.from(prose.matchAll(/\{%-?[ \t]{0,9}(?:raw|highlight)\b/g), ({ index }) => {
    const end = prose.indexOf('{% end', index);
    return { start: index, end: end < 0 ? prose.length : end };
  });

/** https://jekyllrb.com/docs/liquid/filters/ */
const filteredAddress =
  /(\{\{-?[ \t]{0,9}["'])(\/[^\s"'{}]{0,500})["'][ \t]{0,9}\|[ \t]{0,9}(?:relative|absolute)_url\b/g;

/** https://gohugo.io/shortcodes/figure/ */
const figure = /(\{\{[<%][ \t]{1,9}figure[ \t](?:[^\n{}]{0,500}?[ \t])?src=["'])([^"'{}\s]{1,500})["']/g;

/** Elements of SVG refer to parts of drawings. */
const drawn = new Set('feImage filter linearGradient mpath pattern radialGradient textPath use'.split(' '));

function listAttributes(tags: readonly Tag[], prose: string): Link[] {
  return tags
    .filter(({ name }) => !drawn.has(name))
    .flatMap((tag) =>
      [...tag.attributes].flatMap(([name, { value, start }]) => {
        const kind = linkAttributes.get(name);
        return kind === undefined || value === '' || (kind === 'image' && isOfComponent(tag.name, value))
          ? []
          : [
              {
                ...{ target: value, start, end: start + value.length, kind, form: 'attribute' as const },
                ...(name === 'src' && isWordless(tag, prose) && { isWordless: true as const }),
              },
            ];
      }),
    );
}

/** A component may make a name of it: `<Player src="youtube/a1b2" />`. */
const isOfComponent = (name: string, value: string): boolean =>
  /^[A-Z]|-/.test(name) && !/^[./@~]|\.\w+(?:[?#]|$)/.test(value);

/** Anything may give it: `alt`, `:alt`, `aria-label`, or attributes of a variable. */
const isWordless = ({ name, start, end }: Tag, prose: string): boolean =>
  name === 'img' && !/\balt\b|\b(?:aria|role|title)\b|[{$%]/i.test(prose.slice(start, end));

function locate(at: number, bracketed: string | undefined, bare: string | undefined) {
  const [written, start, form] =
    bracketed === undefined ? ([bare ?? '', at, 'inline'] as const) : ([bracketed, at + 1, 'bracketed'] as const);
  return { target: removeEscapes(written), start, end: start + written.length, form };
}

const removeEscapes = (target: string) => target.replace(/\\([!-/:-@[-`{-~])/g, '$1');
