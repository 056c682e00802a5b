import type { Move } from '../../docs/moves/move.ts';
import type { ReadableFiles } from '../../workspace/workspace.ts';
import { excerptLine, plural } from './limits.ts';

/** What text may name. */
export interface Names {
  /** A file, now or before a move or deletion. */
  path: string;
  /** The addresses by which a page is known no more. */
  addresses: readonly string[];
  /** The same page in other languages: their names hold this one. */
  translations: readonly string[];
  /** Folders that a translation service writes: their lines are not for the agent. */
  generated: readonly string[];
  /** Only names with one of these anchors. */
  anchors?: readonly string[];
}

/** How often the answer tells already that a line names it. */
export type CountKnown = (file: string, line: number) => number;

const maxRows = 8;
const maxLineCharacters = 200;
const maxNameCharacters = 200;
const maxPatternCharacters = 700;

/**
 * The lines of all files that name a page by its path or address as plain text, where links are not understood: code samples, whole URLs,
 * comments, protected files. Undefined: they could not be searched.
 */
export async function listNames(
  workspace: ReadableFiles,
  { path, addresses, translations, generated, anchors }: Names,
  { countKnown, signal }: { countKnown: CountKnown; signal: AbortSignal },
): Promise<string[] | undefined> {
  const names = chooseNames(path, addresses);
  if (names.length === 0) return undefined;
  // The pattern of a search is bounded.
  while (names.length > 1 && names.map(toPattern).join('|').length > maxPatternCharacters) names.pop();
  const found = await workspace.search(
    { pattern: names.map((name) => toPattern(name) + (anchors ? '[/.A-Za-z]*#' : '')).join('|') },
    signal,
  );
  if (found.kind !== 'matches') return undefined;
  const finders = names.map((name) => toFinder(name, anchors));
  const others = translations.map(withoutExtension);
  const lines = found.matches.flatMap(({ path: file, line, text }) => {
    if (generated.some((folder) => file.startsWith(`${folder}/`))) return [];
    const places = finders.flatMap((finder) => [...text.matchAll(finder)]);
    const own = places.filter(({ 0: name, index }) => !isOfOther(text, { name, index }, others));
    const distinct = new Set(own.map(({ 0: name, index }) => index + name.length));
    const [first] = own;
    return first === undefined || distinct.size <= countKnown(file, line)
      ? []
      : [{ file, line, text, at: first.index }];
  });
  const rest = lines.length - maxRows;
  return [
    ...lines.slice(0, maxRows).map(({ file, line, text, at }) => {
      const note = workspace.describeAccess(file).kind === 'protected' ? ' (protected)' : '';
      return `${file}:${line}${note}: ${excerptLine(text, at, maxLineCharacters).trim()}`;
    }),
    ...(rest > 0 || found.isCut ? [`... and ${found.isCut ? 'more lines' : plural(rest, 'more line')}`] : []),
  ];
}

/** How text names a file that is moved or deleted. */
export const namesOf = (path: string, move: Move): Names => ({
  ...move,
  path,
  addresses: [...move.addresses.map(({ before }) => before), ...move.fallbacks],
});

/** Call it after a move or deletion. */
export async function describeNames(
  workspace: ReadableFiles,
  names: Names,
  options: { countKnown: CountKnown; signal: AbortSignal },
): Promise<string[]> {
  const lines = await listNames(workspace, names, options);
  if (lines === undefined) return [];
  if (lines.length > 0) return ['Still named as text or in code, where nothing was updated:', ...lines];
  return names.anchors === undefined ? [describeNothing(names)] : [];
}

/** Only about what was searched: other spellings, or addresses that only a build knows, may be left. */
function describeNothing({ path, addresses, generated }: Names): string {
  const names = chooseNames(path, addresses);
  const where = generated.length === 0 ? '' : ` outside of ${generated.join(', ')}`;
  return `No other text${where} names ${names[0]}${names.length > 1 ? ', nor its address' : ''}.`;
}

/** A page in a folder without its extension, as code and other sites name it. The start page has no name of its own. */
function chooseNames(path: string, addresses: readonly string[]): string[] {
  const known = addresses
    .map((address) => `/${address.replace(/^\/+|(?<!\/)\/+$/g, '')}`)
    .filter((address) => address !== '/');
  const all = [addresses.length > 0 && path.includes('/') ? withoutExtension(path) : path, ...known];
  return [...new Set([...all, ...all.map((name) => encodeURI(name.toWellFormed()))])].filter(
    (name) => name.length <= maxNameCharacters,
  );
}

/** For git: finds more lines than count. */
const toPattern = (name: string) => name.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/**
 * Finds a whole path, without the pages below it. An address of one word begins a path, or follows the host of a URL: `/install` in
 * `npm/install` is another path. A longer one may follow a base path.
 */
function toFinder(name: string, anchors?: readonly string[]): RegExp {
  const isWord = /^\/[^/]+$/.test(name);
  const before = isWord ? '(?<![\\w./%-])|(?<=://[\\w.:-]{1,100})' : name.startsWith('/') ? '' : '(?<![\\w-])';
  const behind =
    anchors === undefined
      ? '(?!/?[\\w-])'
      : `(?:\\.[A-Za-z]{1,8})?/?#(?:${anchors.map(literally).join('|')})(?![\\w-])`;
  return new RegExp(`(?:${before})${literally(name)}${behind}`, 'g');
}

const literally = (text: string) => RegExp.escape(text);

/** Whether a place is the end of the name of a translation: `guides/use` in `fr/guides/use`. */
function isOfOther(text: string, { name, index }: { name: string; index: number }, others: readonly string[]): boolean {
  const end = index + name.length;
  return others.some((other) => other.length > name.replace(/^\//, '').length && text.slice(0, end).endsWith(other));
}

const withoutExtension = (path: string) => path.replace(/\.\w+$/, '');
