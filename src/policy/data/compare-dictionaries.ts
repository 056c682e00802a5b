import { findBadLink, findBadText, quote } from './entries.ts';

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
