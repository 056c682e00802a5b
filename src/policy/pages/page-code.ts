import { createHash } from 'node:crypto';

/** Content of a page that a site runs, loads or obeys, rather than shows. */
export type CodeKind =
  | 'import'
  | 'export'
  | 'component'
  | 'expression'
  | 'script'
  | 'style'
  | 'event'
  | 'attribute'
  | 'address'
  | 'html'
  | 'frame'
  | 'head'
  | 'template'
  | 'shortcode'
  | 'include'
  | 'directive'
  | 'cell'
  | 'front matter'
  | 'output';

export interface PageCode {
  kind: CodeKind;
  /** Code of two pages is the same if kind and name are equal. Indentation does not count. */
  name: string;
  /** As the page writes it, where `name` folds its spellings. */
  shown?: string;
  /** A text that is in every page with the same code, in any letter case. */
  clue: string;
  /** The file that an `include` reads, as the page names it. */
  target?: string;
  /** The target may be an address of the site, rather than a file. */
  isAddress?: true;
}

export interface PageContent {
  code: PageCode[];
  /** Addresses on other hosts that the page links to or loads, as written. */
  addresses: string[];
}

const maxNameCharacters = 4_000;

export function createFindings() {
  const code = new Map<string, PageCode>();
  const addresses = new Set<string>();

  function add(
    kind: CodeKind,
    text: string,
    { clue, target, shown, isAddress }: Partial<Omit<PageCode, 'kind' | 'name'>> = {},
  ): void {
    const name = shorten(collapse(text));
    const found = {
      kind,
      name,
      clue: clue ?? longestWord(name),
      ...(target !== undefined && { target }),
      ...(shown !== undefined && { shown }),
      ...(isAddress && { isAddress }),
    };
    code.set(keyOf(found), found);
  }

  /** Every address of another host in a text. */
  function addAddresses(text: string): void {
    if (!text.includes('//')) return;
    for (const match of text.matchAll(/(?:https?:|^\s*)\/\/[^\s"'<>()`,;\\{}[\]|]+/gi)) addresses.add(match[0].trim());
  }

  return { add, addAddresses, content: (): PageContent => ({ code: [...code.values()], addresses: [...addresses] }) };
}

export type Findings = ReturnType<typeof createFindings>;

export const keyOf = ({ kind, name }: PageCode): string => `${kind} ${name}`;

/** Keeps the ends of lines: they end comments. */
export const collapse = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?(?:\n ?)+/g, '\n')
    .trim();

const shorten = (name: string): string =>
  name.length > maxNameCharacters
    ? `${name.slice(0, maxNameCharacters)} ${createHash('sha256').update(name).digest('hex')}`
    : name;

const longestWord = (text: string): string =>
  text
    // Braces may have a space inside of them.
    .split(/[\s{}]/)
    .reduce((longest, word) => (word.length > longest.length ? word : longest), '')
    .slice(0, 200);

/** Undefined for an address that is invalid or has no host. */
export function findHost(address: string): string | undefined {
  const absolute = address.startsWith('//') ? `https:${address}` : address;
  return URL.canParse(absolute) ? new URL(absolute).hostname || undefined : undefined;
}
