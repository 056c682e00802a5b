import { parseDocument } from 'yaml';

export interface FrontMatter {
  data: Record<string, unknown>;
  /** Why it cannot be read, with its line in the page. */
  fault: { message: string; line: number } | undefined;
}

const none: FrontMatter = { data: {}, fault: undefined };

/** `bodyStart`: where the text below the front matter begins. An opening line without a closing one begins no front matter, but is a fault. */
export function readFrontMatter(text: string, bodyStart: number): FrontMatter {
  if (bodyStart === 0) {
    // A rule at the start of a page has a blank line below.
    const isOpen = /^\uFEFF?---[ \t]*\r?\n(?:[\w-]+|"[^"\n]+"|'[^'\n]+')[ \t]*:/.test(text);
    return isOpen ? { data: {}, fault: { message: 'the front matter is not closed by a line ---', line: 1 } } : none;
  }
  const yaml = text
    .slice(0, bodyStart)
    .replace(/^\uFEFF?---[^\n]*\n/, '')
    .replace(/(?:---|\.\.\.)[ \t]*\r?\n?$/, '');
  const document = parseDocument(yaml, { uniqueKeys: true, logLevel: 'silent' });
  const [error] = document.errors;
  if (error) {
    const message = error.message.split('\n', 1)[0]?.replace(/ at line \d+.*$/, '') ?? '';
    return {
      data: {},
      fault: { message: `the front matter is not valid YAML: ${message}`, line: (error.linePos?.[0].line ?? 1) + 1 },
    };
  }
  const data: unknown = document.toJS({ maxAliasCount: 100 });
  return { data: isRecord(data) ? data : {}, fault: undefined };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
