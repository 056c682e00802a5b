import { type Document, isScalar, parseDocument, visit } from 'yaml';
import type { Link } from './list-links.ts';

export interface FrontMatter {
  data: Record<string, unknown>;
  /** Why it cannot be read, with its line in the page. */
  fault: { message: string; line: number } | undefined;
  /** Of buttons on landing pages, and of the pages before and after: `link: /guides/start`. */
  links: Link[];
}

const none: FrontMatter = { data: {}, fault: undefined, links: [] };

/** `bodyStart`: where the text below the front matter begins. An opening line without a closing one begins no front matter, but is a fault. */
export function readFrontMatter(text: string, bodyStart: number): FrontMatter {
  if (bodyStart === 0) {
    // A rule at the start of a page has a blank line below.
    const isOpen = /^\uFEFF?---[ \t]*\r?\n(?:[\w-]+|"[^"\n]+"|'[^'\n]+')[ \t]*:/.test(text);
    return isOpen ? { ...none, fault: { message: 'the front matter is not closed by a line ---', line: 1 } } : none;
  }
  const start = text.indexOf('\n') + 1;
  const yaml = text.slice(start, bodyStart).replace(/(?:---|\.\.\.)[ \t]*\r?\n?$/, '');
  const document = parseDocument(yaml, { uniqueKeys: true, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) {
    const message = error.message.split('\n', 1)[0]?.replace(/ at line \d.*/, '') ?? '';
    // A bracket that is never closed is found missing behind the last line.
    const line = Math.min(error.linePos?.[0].line ?? 1, yaml.trimEnd().split('\n').length) + 1;
    return { ...none, fault: { message: `the front matter is not valid YAML: ${message}`, line } };
  }
  const data: unknown = document.toJS({ maxAliasCount: 100 });
  return { data: isRecord(data) ? data : {}, fault: undefined, links: listLinks(document, start) };
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
      links.push({
        target: value.value,
        start: offset + start + quote,
        end: offset + end - quote,
        kind: 'link',
        form: 'yaml',
      });
    },
  });
  return links;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
