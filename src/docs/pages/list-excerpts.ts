/** A place in a file: a marked region, lines by number, a line with this text, or a class or function of Python. */
export interface Excerpt {
  /** The file, as written. */
  target: string;
  start: number;
  kind: 'region' | 'line' | 'text' | 'object';
  value: string;
}

/**
 * https://rust-lang.github.io/mdBook/format/mdbook.html#including-portions-of-a-file, https://vitepress.dev/guide/markdown#import-code-snippets,
 * https://facelessuser.github.io/pymdown-extensions/extensions/snippets/#snippet-sections
 */
const inMarkdown = [
  /(?<!\\)\{\{#(?:rustdoc_)?include[ \t]{1,9}([^\s:{}]{1,300}):([\w-]{1,100}|\d{0,9}(?=:))[^\s{}]{0,20}[ \t]{0,9}\}\}/g,
  /<!--[ \t]{0,9}@include:[ \t]{0,9}([^\s#{]{1,300})(?:#([\w-]{1,100}?)(?=[\s{]|-->)|\{(\d{1,9})[,}])/g,
  /^<<<[ \t]{1,9}([^\s#{[]{1,300})#([\w-]{1,100})/gm,
  /--8<--[ \t]{1,9}["']([^\s"':]{1,300}):([\w-]{1,100})(?=[:"'])/g,
];
const hint = /#include|#rustdoc_include|@include:|^<<<|--8<--/m;

/** Of a page in Markdown. Code is read, too: programs that include files do not know it. */
export const listExcerpts = (text: string): { excerpts?: Excerpt[] } => {
  if (!hint.test(text)) return {};
  const excerpts = inMarkdown.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ 0: whole, 1: target = '', 2: name, 3: line, index }) =>
      toExcerpt(target, name ?? line ?? '', index + whole.indexOf(target)),
    ),
  );
  return excerpts.length === 0 ? {} : { excerpts };
};

const toExcerpt = (target: string, value: string, start: number): Excerpt => ({
  target,
  start,
  kind: /^\d*$/.test(value) ? 'line' : 'region',
  value,
});

const asciidoc = /^include::([^\s[\]][^[\]]{0,500})\[([^\]\n]{1,300})\]/gm;

/** https://docs.asciidoctor.org/asciidoc/latest/directives/include-tagged-regions/ */
export const listTagged = (text: string): Excerpt[] =>
  Array.from(text.matchAll(asciidoc)).flatMap(({ 0: whole, 1: target = '', 2: attributes = '', index }) => {
    const [, quoted, bare] = /(?:^|,)[ \t]*tags?=(?:"([^"]*)"|([^,"]+))/.exec(attributes) ?? [];
    const tags = (quoted ?? bare ?? '').split(/[;,]/).map((tag) => tag.trim());
    return tags
      .filter((tag) => /^[\w.-]+$/.test(tag))
      .map((tag) => ({ ...toExcerpt(target, tag, index + whole.indexOf(target)), kind: 'region' as const }));
  });

const markers = /(?:\bregion\b|ANCHOR:|\[start:|tag::)[^\n]{0,40}$/i;

const definition = /\b(?:def|class)[ \t]{1,9}$/;

/** Whether a file has it. */
export function hasExcerpt(text: string, { kind, value }: Excerpt): boolean {
  switch (kind) {
    case 'line':
      return Number(value || 1) <= text.trimEnd().split('\n').length;
    case 'text':
      return text.includes(value);
    case 'object':
      return value.split('.').every((name) => isMarked(text, name, definition));
    case 'region':
      return isMarked(text, value, markers);
  }
}

function isMarked(text: string, name: string, marker: RegExp): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !/[\w-]/.test(text[at + name.length] ?? '');
    if (isWhole && marker.test(text.slice(Math.max(0, at - 60), at))) return true;
  }
  return false;
}
