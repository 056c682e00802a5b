import { dirname, join, normalize } from 'node:path/posix';
import MarkdownParser, { type MarkdownIt, type StateBlock, type Token } from 'markdown-it';
import { imageTypeOf } from './image-types.ts';

/** Where a preview takes the images of the repository from. */
export interface ImageSource {
  /** The address of images of the commit. */
  address: string;
  /** The page. */
  path: string;
}

/** The address of an image of the repository; undefined: it is elsewhere, or no image. */
function findOwnImage(address: string, env: unknown): string | undefined {
  const { images } = env as { images?: ImageSource | undefined };
  const [path = ''] = address.split(/[?#]/, 1);
  if (!images || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address) || imageTypeOf(path) === undefined) return undefined;
  const named = decode(path);
  const place = named.startsWith('/') ? normalize(named) : join(dirname(images.path), named);
  if (place.startsWith('..')) return undefined;
  return `${images.address}?${new URLSearchParams({ path: place }).toString()}`;
}

/** A name that is not well encoded stays as it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The Markdown of documentation as only text: no HTML, only images of the repository, and a link leads only to a whole address. */
export function createPageMarkdown(): MarkdownIt {
  const markdown = new MarkdownParser({ html: false, linkify: false }).disable('code');
  markdown.use(readComponents);
  const { rules } = markdown.renderer;
  // Headings of a page are below the headings of the dashboard.
  rules.heading_open = (tokens, index) => `<p class="page-${tokens[index]?.tag ?? 'h2'}">`;
  rules.heading_close = () => '</p>\n';
  rules.table_open = () => '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  rules.link_open = (tokens, index) => {
    const token = tokens[index];
    const address = String(token?.attrGet('href') ?? '');
    const isWhole = /^https?:\/\//i.test(address);
    if (token) token.meta = { isWhole };
    const shown = markdown.utils.escapeHtml(address);
    return isWhole ? `<a href="${shown}" rel="noreferrer nofollow">` : `<span class="page-link" title="${shown}">`;
  };
  rules.link_close = (tokens, index) => (isInWholeLink(tokens, index) ? '</a>' : '</span>');
  rules.image = (tokens, index, _options, env) => {
    const { content = '' } = tokens[index] ?? {};
    const address = String(tokens[index]?.attrGet('src') ?? '');
    const { escapeHtml } = markdown.utils;
    const own = findOwnImage(address, env);
    if (own !== undefined)
      return `<img class="page-picture" src="${escapeHtml(own)}" alt="${escapeHtml(content)}" loading="lazy">`;
    return `<span class="page-image">Image: ${escapeHtml(content || address)}</span>`;
  };
  return markdown;
}

/** Links are not nested: the last one that opened is the one that closes. */
function isInWholeLink(tokens: readonly Token[], index: number): boolean {
  const opening = tokens.slice(0, index).findLast(({ type }) => type === 'link_open');
  return opening?.meta?.isWhole === true;
}

/** What opens a block: a component of MDX, a container (`:::note`), an admonition (`!!! note`). */
interface Opening {
  name: string;
  title: string;
  /** The line after it. */
  next: number;
  /** Whether a line closes it. null: nothing follows inside. */
  closes: ((line: string, indent: number) => 'inside' | 'close' | 'end') | null;
}

const mostTagLines = 30;

/** Shows components as labelled boxes with what is in them. They run nothing. */
function readComponents(markdown: MarkdownIt): void {
  markdown.block.ruler.before('fence', 'component', readBlock, { alt: ['paragraph', 'list', 'blockquote'] });
  markdown.core.ruler.after('block', 'alert', ({ tokens }) => readAlerts(tokens));
  markdown.renderer.rules.component_open = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    const { escapeHtml } = markdown.utils;
    const kind = kinds.get(info.toLowerCase()) ?? 'other';
    const title = content === '' ? '' : ` <span class="component-title">${escapeHtml(content)}</span>`;
    return `<div class="component component-${kind}"><p class="component-name">${escapeHtml(info)}${title}</p>\n`;
  };
  markdown.renderer.rules.component_close = () => '</div>\n';
}

/** Admonitions that readers know by their colour. */
const kinds = new Map(
  Object.entries({
    note: ['note', 'info', 'information', 'important', 'abstract', 'callout'],
    tip: ['tip', 'success', 'check', 'hint'],
    warning: ['warning', 'caution', 'attention'],
    danger: ['danger', 'error', 'failure', 'bug'],
  }).flatMap(([kind, names]) => names.map((name): [string, string] => [name, kind])),
);

/** A quote that begins with `[!NOTE]` is an alert: https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts */
function readAlerts(tokens: Token[]): void {
  const open: boolean[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'blockquote_open') {
      const first = tokens[index + 2];
      const [marker, name = ''] =
        (first?.type === 'inline' && /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i.exec(first.content)) ||
        [];
      open.push(marker !== undefined);
      if (marker === undefined || !first) continue;
      Object.assign(token, { type: 'component_open', tag: 'div', info: name.toLowerCase() });
      first.content = first.content.slice(marker.length);
    } else if (token.type === 'blockquote_close' && open.pop()) {
      Object.assign(token, { type: 'component_close', tag: 'div' });
    }
  }
}

const lineOf = (state: StateBlock, line: number) =>
  state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);

function readBlock(state: StateBlock, startLine: number, endLine: number, silent = false): boolean {
  const first = lineOf(state, startLine);
  const opening =
    readTag(state, startLine, endLine) ?? readContainer(first, startLine) ?? readAdmonition(state, startLine);
  if (!opening) return false;
  if (silent) return true;
  const { name, title, next, closes } = opening;
  let inner = next;
  let after = next;
  if (closes) {
    for (; inner < endLine; inner += 1) {
      const found = closes(lineOf(state, inner), state.sCount[inner] ?? 0);
      if (found === 'inside') continue;
      after = found === 'close' ? inner + 1 : inner;
      break;
    }
    // Nothing closes it: it is only a label.
    if (inner >= endLine && name !== '') after = endLine;
  }
  const open = state.push('component_open', 'div', 1);
  open.block = true;
  open.info = name;
  open.content = title;
  open.map = [startLine, after];
  readInside(state, next, inner);
  state.push('component_close', 'div', -1).block = true;
  state.line = after;
  return true;
}

/** Lines inside may be indented: that makes them no code. */
function readInside(state: StateBlock, from: number, to: number): void {
  const filled = Array.from({ length: to - from }, (_, offset) => from + offset).filter((line) => !state.isEmpty(line));
  if (filled.length === 0) return;
  const { blkIndent, lineMax, parentType } = state;
  state.blkIndent = Math.min(...filled.map((line) => state.sCount[line] ?? 0));
  state.lineMax = to;
  state.md.block.tokenize(state, from, to);
  Object.assign(state, { blkIndent, lineMax, parentType });
}

function readTag(state: StateBlock, startLine: number, endLine: number): Opening | undefined {
  const first = lineOf(state, startLine);
  const [, slash = '', name = ''] = /^<(\/?)([A-Z][\w.]{0,60})(?=[\s/>]|$)/.exec(first) ?? [];
  if (name === '') return undefined;
  // A closing tag that nothing opened, for instance after a list.
  if (slash !== '') return { name: `End of ${name}`, title: '', next: startLine + 1, closes: null };
  let line = startLine;
  let text = first;
  while (!text.includes('>') && line + 1 < endLine && line - startLine < mostTagLines) {
    line += 1;
    text += ` ${lineOf(state, line)}`;
  }
  const end = text.lastIndexOf('>');
  const attributes = end === -1 ? text : text.slice(0, end);
  const title = /\s(?:title|label|name|summary)=["']([^"']{1,200})["']/.exec(attributes)?.[1] ?? '';
  const isWhole = attributes.endsWith('/') || text.includes(`</${name}>`) || end === -1;
  const rest = text.slice(text.indexOf('>') + 1).trim();
  const isAlone = isWhole || rest !== '';
  const content = isAlone && rest !== '' && !attributes.endsWith('/') ? (rest.split('<')[0] ?? '') : '';
  if (isAlone)
    return { name, title: [title, content].filter((part) => part !== '').join(': '), next: line + 1, closes: null };
  let depth = 1;
  return {
    name,
    title,
    next: line + 1,
    closes: (inside) => {
      if (inside.startsWith(`<${name}`) && !inside.includes('/>') && !inside.includes(`</${name}>`)) depth += 1;
      if (inside.startsWith(`</${name}>`)) depth -= 1;
      return depth === 0 ? 'close' : 'inside';
    },
  };
}

function readContainer(first: string, startLine: number): Opening | undefined {
  const [, colons = '', name = '', bracketed = '', rest = ''] =
    /^(:{3,8})\s?(?:\{?)([A-Za-z][\w-]{0,40})(?:\[([^\]]{0,200})\])?\}?(.{0,200})$/.exec(first) ?? [];
  if (name === '') return undefined;
  return {
    name,
    title: bracketed || rest.trim(),
    next: startLine + 1,
    closes: (inside) => (inside.trim() === colons ? 'close' : 'inside'),
  };
}

function readAdmonition(state: StateBlock, startLine: number): Opening | undefined {
  const [, name = '', rest = ''] =
    /^(?:!!!|\?\?\?\+?|===\+?)\s([\w-]{0,40}|(?="))(.{0,200})$/.exec(lineOf(state, startLine)) ?? [];
  const title = rest.trim().replace(/^"/, '').replace(/"$/, '');
  if (name === '' && title === '') return undefined;
  const outer = state.sCount[startLine] ?? 0;
  return {
    name: name || 'Tab',
    title,
    next: startLine + 1,
    closes: (inside, indent) => (inside.trim() === '' || indent > outer ? 'inside' : 'end'),
  };
}
