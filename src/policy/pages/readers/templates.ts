import type { TemplateLanguage } from '../../../docs/frameworks/framework.ts';
import { collapse, type Findings } from '../page-code.ts';
import { listBraces } from './braces.ts';
import { endsAttribute, scanElement, scanTarget } from './html/attributes.ts';
import { readPlainHtml } from './html/elements.ts';
import { addFile, addInclude, readSnippets } from './includes.ts';

/** Template languages are expanded before Markdown is read, so that code blocks and comments do not stop them. */
export function scanTemplates(findings: Findings, text: string, languages: readonly TemplateLanguage[]): void {
  for (const language of languages) readers[language](findings, text);
}

/** Marks that the configuration gives to a template language, up to the end of their line. */
export function scanMarks(findings: Findings, text: string, marks: readonly string[]): void {
  for (const mark of marks)
    for (const line of text.split('\n'))
      if (line.includes(mark)) findings.add('template', line.slice(line.indexOf(mark)), { clue: mark });
}

const readers: Record<TemplateLanguage, (findings: Findings, text: string) => void> = {
  liquid: readLiquid,
  gitbook: readGitBook,
  markdoc: readMarkdoc,
  hugo: readHugo,
  zola: readZola,
  mdbook: readMdBook,
  snippets: readSnippets,
  docsify: readDocsify,
  quarto: readQuarto,
};

/** Tags that show text, name a page, or close a block. */
const plainTags = new Set('raw endraw verbatim endverbatim comment endcomment highlight link post_url'.split(' '));
const includeTags = new Set(
  'include include_relative include_cached include_code render extends import from layout embed'.split(' '),
);
const plainFilter = /^\s*(relative_url|absolute_url|url|escape|xml_escape|upcase|downcase)\s*$/;

/** Liquid, Jinja, Nunjucks and Twig: output that is not a literal, and tags. */
function readLiquid(findings: Findings, text: string): void {
  const shown = withoutRaw(text);
  for (const { inside } of listBraces(shown, '{{', '}}')) {
    const [value = '', ...filters] = trimDashes(inside).split('|');
    const isData = isLiteral(value) && filters.every((filter) => plainFilter.test(filter));
    if (!isData) findings.add('template', `{{ ${collapse(inside)} }}`);
  }
  for (const tag of listTags(shown)) {
    if (plainTags.has(tag.name) || tag.name.startsWith('end')) continue;
    if (includeTags.has(tag.name)) addInclude(findings, `{% ${tag.name} %}`, tag.rest);
    else findings.add('template', `{% ${tag.name} ${tag.rest} %}`);
  }
}

/** Builders take it out before they expand templates: YAML, or the lines of names and values of MkDocs. */
const frontMatter = /^\uFEFF?(?:---[^\n]*\n[\s\S]*?\n(?:---|\.\.\.)| {0,3}[\w-]+:[^\n]*(?:\n(?![ \t]*\n)[^\n]+)*)/;

/**
 * Cuts what `raw` and `verbatim` only show. Where a mark stands within a comment, a text or another mark, the languages differ in what they
 * see: then nothing is cut.
 */
function withoutRaw(text: string): string {
  if (!/\b(?:raw|verbatim)\b/.test(text)) return text;
  const head = frontMatter.exec(text)?.[0].length ?? 0;
  const opening = /\{[{%#]/g;
  const kept: string[] = [];
  let from = 0;
  let isComment = false;
  for (let start = opening.exec(text)?.index; start !== undefined; start = opening.exec(text)?.index) {
    const mark = text[start + 1];
    const end = text.indexOf(mark === '{' ? '}}' : `${mark}}`, start + 2);
    const inside = text.slice(start + 2, end === -1 ? undefined : end);
    if (mark === '#' || /\{[{%#]/.test(inside)) {
      // Mathematics and headings have `{#`, which matters only together with raw text.
      if (/\b(?:raw|verbatim)\b/.test(text.slice(start))) return text;
      break;
    }
    if (end === -1) break;
    opening.lastIndex = end + 2;
    if (mark !== '%') continue;
    const name = trimDashes(inside).trim();
    if (/^(?:end)?comment\b/.test(name)) isComment = !name.startsWith('end');
    if (name !== 'raw' && name !== 'verbatim') continue;
    if (isComment || start < head) return text;
    const close = findRawEnd(text, `end${name}`, end + 2);
    if (close === undefined) return text;
    kept.push(text.slice(from, start));
    from = close;
    opening.lastIndex = close;
  }
  return kept.join('\n') + text.slice(from);
}

/** Undefined: it is never closed, or not in the way that all languages take. */
function findRawEnd(text: string, name: string, from: number): number | undefined {
  for (let start = text.indexOf('{%', from); start !== -1; start = text.indexOf('{%', start + 2)) {
    const end = text.indexOf('%}', start);
    if (end === -1) return undefined;
    const tag = trimDashes(text.slice(start + 2, end)).trim();
    if (tag === name) return end + 2;
    if (/^[-+~\s]*end(?:raw|verbatim)/.test(tag)) return undefined;
  }
  return undefined;
}

const trimDashes = (inside: string): string => inside.replace(/^[-+~]/, '').replace(/[-+~]$/, '');
const tagMarks: Marks = [['{%', '%}']];

type Marks = readonly (readonly [open: string, close: string])[];

/** What stands between each of the marks, by its first word. */
function* listTags(text: string, marks = tagMarks, clean = trimDashes) {
  for (const [open, close] of marks)
    for (const { inside, start } of listBraces(text, open, close)) {
      const [name = '', ...rest] = clean(inside).trim().split(/\s+/);
      yield { name, rest: rest.join(' '), inside, start };
    }
}

/** An escape may stand for any character; a brace may begin what another language expands. */
const isLiteral = (value: string): boolean => /^\s*("[^"\\{]*"|'[^'\\{]*'|\d{1,20})\s*$/.test(value);

/** https://gitbook.com/docs: blocks that GitBook itself shows. They run nothing of the repository. */
const gitBookBlocks = new Set(
  `hint tabs tab code content-ref file swagger openapi openapi-operation stepper step columns column update updates
  api-method prompt if else`.split(/\s+/),
);

function readGitBook(findings: Findings, text: string): void {
  for (const { name, rest } of listTags(text)) {
    const target = /(?:url|src)="([^"]*)"/.exec(rest)?.[1];
    if (target !== undefined) {
      scanElement(findings, { tag: null, attributes: [['href', target]] });
      if (name !== 'embed' && !target.includes('//')) addFile(findings, target);
    }
    if (name.startsWith('end') || gitBookBlocks.has(name)) continue;
    if (name === 'embed' && target !== undefined) scanTarget(findings, 'frame', target);
    else if (name === 'include') addInclude(findings, '{% include %}', rest);
    else findings.add('shortcode', name, { clue: name });
    findings.addAddresses(rest);
  }
}

/** Markdoc's tags by name; values that read a variable or call a function. https://markdoc.dev/docs/syntax */
function readMarkdoc(findings: Findings, text: string): void {
  for (const { name, rest } of listTags(text)) {
    const inside = `${name} ${rest}`;
    // A text in quotes may hold the end of a tag.
    const isOpen = inside.includes('\\') || inside.split('"').length % 2 === 0;
    if (isOpen || /[$(]/.test(inside)) findings.add('template', `{% ${inside} %}`);
    else if (name === 'partial') addInclude(findings, '{% partial %}', rest.replace(/^file=/, ''));
    else if (/^[a-z][\w-]*\/?$/i.test(name)) findings.add('shortcode', name.replace(/\/$/, ''), { clue: name });
  }
}

// https://gohugo.io/shortcodes/
const hugoMarks: Marks = [
  ['{{<', '>}}'],
  ['{{%', '%}}'],
];
const hugoShortcodes = new Set('details figure highlight qr ref relref'.split(' '));

function readHugo(findings: Findings, text: string): void {
  for (const { name, rest } of listTags(text, hugoMarks, (inside) => inside.replace(/^\s*\/(?!\*)/, '')))
    if (!name.startsWith('/*') && !hugoShortcodes.has(name)) addShortcode(findings, name, rest);
}

// https://quarto.org/docs/authoring/shortcodes.html
const quartoShortcodes = new Set('kbd pagebreak lipsum placeholder contents version'.split(' '));

/** Shortcodes, in code too, unless they are written `{{{< name >}}}`. */
function readQuarto(findings: Findings, text: string): void {
  for (const { name, rest: parameters, inside, start } of listTags(text, [['{{<', '>}}']], String)) {
    if (text[start - 1] === '{' || name.startsWith('/*') || quartoShortcodes.has(name)) continue;
    if (name === 'include' || name === 'embed')
      addInclude(findings, `{{< ${name} >}}`, parameters.split(/[#\s]/, 1)[0] ?? '');
    else if (name === 'video') {
      const [video = ''] = /[^"'\s]+/.exec(parameters) ?? [];
      scanTarget(findings, 'frame', video);
      if (!video.includes('//')) addFile(findings, video);
    } else findings.add('shortcode', collapse(inside), { clue: name });
    findings.addAddresses(parameters);
  }
}

/** A shortcode may read the file that a parameter names. Addresses of other hosts are part of its name. */
function addShortcode(findings: Findings, name: string, written: string): void {
  const parameters = written.replace(/\/$/, '');
  const leads = /(^|[\s"'`=])[a-z]+:|\.\.|\\/i.test(parameters);
  findings.add('shortcode', leads ? `${name} ${parameters}` : name, { clue: name });
  if (!leads)
    for (const [, path = ''] of parameters.matchAll(/(?<![^\s"'`=])(\/[^\s"'`]{1,300})/g))
      findings.add('include', `${name} ${path}`, { clue: path.split('/').at(-1) ?? '', target: path, isAddress: true });
  findings.addAddresses(parameters);
}

/** `{{ name(…) }}` and `{% name(…) %}`: https://www.getzola.org/documentation/content/shortcodes/ */
function readZola(findings: Findings, text: string): void {
  for (const [open, close] of [...tagMarks, ['{{', '}}'] as const])
    for (const { inside } of listBraces(text, open, close)) {
      const written = trimDashes(inside).trim();
      if (written === 'end' || written.startsWith('/*')) continue;
      const [, name, parameters = ''] = /^([\w:]+)\s*\(([\s\S]*)$/.exec(written) ?? [];
      if (name === undefined) findings.add('template', `${open} ${collapse(written)} ${close}`);
      else addShortcode(findings, name, collapse(parameters));
    }
}

/** `[text](file ':include :type=iframe')`: https://docsify.js.org/#/embed-files */
function readDocsify(findings: Findings, text: string): void {
  // Its version 4 writes addresses into attributes as they are.
  for (const [written] of text.matchAll(/\](?:\(|:)[^\n]{0,300}/g))
    if (endsAttribute(written)) findings.add('event', written);
  for (const [, target = '', title = ''] of text.matchAll(
    /\](?:\(|:)(?=\s{0,9}<?([^\s<>()\]]{0,300})>?\s{1,9}(['"(][^'")]{0,300}))/g,
  )) {
    if (!/:include\b/.test(title)) continue;
    // What is no option of its own stands in the tag as it is.
    const options = title.replace(/(?<=\s|^.):[\w-]+(?:=[\w%-]+)?/g, '').slice(1);
    readPlainHtml(findings, `<iframe src="${target}" ${options}>`);
    if (!/:type=iframe/.test(title)) addInclude(findings, ':include', target);
  }
}

/** https://rust-lang.github.io/mdBook/format/mdbook.html; `{{#title}}` only names the page. */
function readMdBook(findings: Findings, text: string): void {
  for (const { inside, start } of listBraces(text, '{{', '}}')) {
    // An escape holds for one line.
    const isEscaped = text[start - 1] === '\\' && /^#.*$/.test(inside);
    // A mark may stand behind one that is never closed.
    for (const part of inside.split('{{').slice(isEscaped ? 1 : 0)) {
      const [, name, target = ''] = /^\s*#(\w+)(?:\s+(\S*))?/.exec(part) ?? [];
      if (name === undefined || name === 'title') continue;
      if (/^(include|rustdoc_include|playground|playpen)$/.test(name))
        addInclude(findings, `{{#${name}}}`, target.replace(/:.*/s, ''));
      else findings.add('template', `{{#${part.trim().slice(1)}}}`);
    }
  }
}
