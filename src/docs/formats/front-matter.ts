import { type Document, isScalar, visit } from 'yaml';
import type { Link } from '../pages/list-links.ts';
import { readToml } from './toml.ts';
import { findYamlFault, readYaml } from './yaml.ts';

export interface FrontMatter {
  data: Record<string, unknown>;
  /** Why it cannot be read, with its line in the page. */
  fault: { message: string; line: number } | undefined;
  /** Of buttons on landing pages, and of the pages before and after: `link: /guides/start`. */
  links: Link[];
}

const none: FrontMatter = { data: {}, fault: undefined, links: [] };

/** The text before a page, as written: YAML between lines of `---`, or another language. */
interface CutFrontMatter {
  fence: string;
  /** Behind the fence, as in `---js`. Empty: that of the fence. */
  language: string;
  source: string;
  start: number;
  /** Where the page begins below it; 0: no line closes it, so it is none. */
  bodyStart: number;
}

const closings: Record<string, RegExp> = {
  '---': /^(?:---|\.\.\.)[ \t]*\r?$/gm,
  '+++': /^\+\+\+[ \t]*\r?$/gm,
  ';;;': /^;;;[ \t]*\r?$/gm,
};

export function cutFrontMatter(text: string): CutFrontMatter | undefined {
  const [opening, fence = '', language = ''] =
    /^\uFEFF?(---|\+\+\+|;;;)[ \t]*(?![ \t])([^\r\n-]*)\r?\n/.exec(text) ?? [];
  const closing = closings[fence];
  if (opening === undefined || closing === undefined) return undefined;
  const start = opening.length;
  closing.lastIndex = start;
  const end = closing.exec(text);
  const cut = { fence, language: language.trim(), start };
  if (end === null) return { ...cut, source: '', bodyStart: 0 };
  const lineEnd = text.indexOf('\n', end.index);
  return { ...cut, source: text.slice(start, end.index), bodyStart: lineEnd < 0 ? text.length : lineEnd + 1 };
}

/** Of YAML or TOML. An opening line without a closing one begins no front matter, but is a fault. */
export function readFrontMatter(text: string): FrontMatter {
  const cut = cutFrontMatter(text);
  // Astro takes blank lines before it.
  const trimmed = cut === undefined ? text.trimStart() : text;
  if (trimmed !== text && trimmed.startsWith('---')) return { ...none, data: readFrontMatter(trimmed).data };
  if (cut?.fence === '+++' && cut.bodyStart > 0) return readTomlFrontMatter(cut.source);
  if (cut === undefined || cut.fence !== '---' || cut.language !== '') return none;
  if (cut.bodyStart === 0) {
    // A rule at the start of a page has a blank line below.
    const isOpen = /^\uFEFF?---[ \t]*\r?\n(?:[\w-]+|"[^"\n]+"|'[^'\n]+')[ \t]*:/.test(text);
    return isOpen ? { ...none, fault: { message: 'the front matter is not closed by a line ---', line: 1 } } : none;
  }
  const read = readYaml(cut.source);
  const fault = findYamlFault(read);
  if (fault !== undefined) {
    // A bracket that is never closed is found missing behind the last line.
    const line = Math.min(fault.line, cut.source.trimEnd().split('\n').length) + 1;
    return { ...none, fault: { message: `the front matter is ${fault.message}`, line } };
  }
  const data: unknown = read.document.toJS({ maxAliasCount: 100 });
  return { data: isRecord(data) ? data : {}, fault: undefined, links: listLinks(read.document, cut.start) };
}

function readTomlFrontMatter(source: string): FrontMatter {
  const { value, fault } = readToml(source);
  if (fault === undefined) return { ...none, data: isRecord(value) ? value : {} };
  return { ...none, fault: { message: `the front matter is ${fault.message}`, line: fault.line + 1 } };
}

/** https://vitepress.dev/reference/default-theme-home-page, https://starlight.astro.build/reference/frontmatter/ */
function listLinks(document: Document, offset: number): Link[] {
  const links: Link[] = [];
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'link' || !isScalar(value) || typeof value.value !== 'string') return;
      const quote = value.type === 'QUOTE_SINGLE' || value.type === 'QUOTE_DOUBLE' ? 1 : 0;
      const isLine = quote === 1 || value.type === 'PLAIN';
      if (!isLine || value.value === '' || !value.range) return;
      const [start, end] = value.range;
      const place = { start: offset + start + quote, end: offset + end - quote };
      links.push({ target: value.value, ...place, kind: 'link', form: 'yaml' });
    },
  });
  return links;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
