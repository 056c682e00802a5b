import { isRedirectStatus } from '../../docs/frameworks/edits/rules.ts';
import { findBadLink, findBadText, quote } from './entries.ts';

/** Compares files in which each line is an entry: a line that the base has may stay and move. */
export function compareLines(
  before: string,
  after: string,
  findBad: (line: string) => string | undefined,
): string | undefined {
  const known = new Set(before.split(/\r?\n/).map((line) => line.trimEnd()));
  for (const line of after.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const bad = known.has(line.trimEnd()) ? undefined : findBad(line.trim());
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** https://docs.netlify.com/manage/routing/redirects/overview/#syntax-for-the-redirects-file */
export function findBadRedirect(line: string): string | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const [from = '', to = '', status = '301', ...more] = line.split(/\s+/);
  if (!from.startsWith('/') || to === '' || more.length > 0) return `${quote(line)} is not \`/from /to 301\``;
  const bad = findBadText(line.replaceAll('\t', ' '));
  if (bad !== undefined) return bad;
  const isRedirect = isRedirectStatus(status.replace(/!$/, ''));
  return isRedirect ? findBadLink(to) : `${quote(line)} is no redirect: use 301, 302, 303, 307 or 308`;
}

/** What GitBook writes behind the heading of a group. */
const groupAnchor = /<a href="#([\w-]+)" id="([\w-]+)"><\/a>$/;

function withoutGroupAnchor(line: string): string {
  const [anchor = '', href, id] = /^#{1,6} /.test(line) ? (groupAnchor.exec(line) ?? []) : [];
  return href === id ? line.slice(0, line.length - anchor.length).trimEnd() : line;
}

/** Headings and lists of links: https://gitbook.com/docs/getting-started/git-sync/content-configuration#summary */
export function findBadSummaryLine(line: string): string | undefined {
  // Only a link may stand in angle brackets.
  const open = withoutGroupAnchor(line).replace(
    /\]\(<([^<>]*)>/g,
    (_, link: string) => `](${link.replace(/[\s()\\]/g, encodeCharacter)}`,
  );
  const bad = findBadText(open) ?? (/[<>]|^\[[^\]]*\]:/.test(open) ? `${quote(line)} is more than a link` : undefined);
  if (bad !== undefined) return bad;
  if (/!\[/.test(open)) return `${quote(line)} holds an image`;
  const links = open.split(/\]\(\s*/).slice(1);
  return links.map((rest) => findBadPage(readTarget(rest))).find((badPage) => badPage !== undefined);
}

const encodeCharacter = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Up to the bracket that closes the link. */
function readTarget(rest: string): string {
  let depth = 0;
  let target = '';
  for (let at = 0; at < rest.length; at += 1) {
    const character = rest[at] ?? '';
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(rest[at + 1] ?? '')) {
      at += 1;
      target += rest[at];
      continue;
    }
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0 || /\s/.test(character)) break;
    target += character;
  }
  return target;
}

/** Each byte alone, so that a malformed one hides no other. */
const decode = (link: string) =>
  link.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** mdBook reads the file that a link names, decoded, and from the root of the machine too: it would publish the file. */
function findBadPage(link: string): string | undefined {
  if (/&(?:#|[a-z][a-z\d]*;)/i.test(link)) return `${quote(link)} hides a character; write it as it is`;
  if (link.startsWith('/')) return findBadLink(link) ?? `${quote(link)} leads out of its folder`;
  return findBadLink(link) ?? findBadLink(decode(link));
}

// At the start of a line, so never in a function. A lone carriage return ends a line of Python, and is a control character in `findBadText`.
const opening = /^(?:rediraffe_)?redirects[ \t]*=[ \t]*\{[ \t]*$/;
const closing = /^\}[ \t]*$/;
const entry =
  /^[ \t]*(?:"([^"'\\{}\s]+)"|'([^"'\\{}\s]+)')[ \t]*:[ \t]*(?:"([^"'\\{}\s]+)"|'([^"'\\{}\s]+)')[ \t]*(?:(,)[ \t]*)?(?:#.*)?$/;
const free = /^[ \t]*(?:#.*)?$/;

/** Compares files of Python in which only entries of `redirects = {` may change: a text and a text, one on each line. */
export function compareDictionaries(before: string, after: string): string | undefined {
  const [old, now] = [readParts(before), readParts(after)];
  if (old.around !== now.around) return 'it would differ outside of its redirects';
  for (const [index, lines] of now.dictionaries.entries()) {
    const bad = findBadLine(old.dictionaries[index] ?? [], lines);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

function readParts(text: string): { around: string; dictionaries: string[][] } {
  const around: string[] = [];
  const dictionaries: string[][] = [];
  let open: string[] | undefined;
  for (const line of text.split('\n').map((each) => each.replace(/\r$/, ''))) {
    if (open !== undefined && closing.test(line)) open = undefined;
    if (open !== undefined) open.push(line);
    else around.push(line);
    if (open !== undefined || !opening.test(line)) continue;
    open = [];
    dictionaries.push(open);
  }
  return { around: around.join('\n'), dictionaries };
}

function findBadLine(before: readonly string[], after: readonly string[]): string | undefined {
  const known = new Set(before);
  const isOther = (line: string) => !free.test(line) && !entry.test(line);
  const others = after.filter(isOther);
  if (before.filter(isOther).join('\n') !== others.join('\n')) {
    const bad = others.find((line) => !known.has(line)) ?? others[0] ?? 'a line';
    return `${quote(bad)} may not change: write each redirect as "from": "to", on a line of its own`;
  }
  const last = after.findLastIndex((line) => !free.test(line));
  for (const [index, line] of after.entries()) {
    const [isEntry, , , double, single, comma] = entry.exec(line) ?? [];
    if (isEntry && comma === undefined && index !== last) return `${quote(line)} needs a comma at its end`;
    const bad = known.has(line)
      ? undefined
      : (findBadText(line.replaceAll('\t', ' ')) ?? findBadLink(double ?? single ?? ''));
    if (bad !== undefined) return bad;
  }
  return undefined;
}
