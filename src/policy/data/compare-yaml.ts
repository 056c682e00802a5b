import { type Data, isMap } from '../../docs/formats/data.ts';
import type { Container, DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { createEntryCheck } from './entries.ts';
import { findWindow } from './find-window.ts';
import { readYaml } from './read-yaml.ts';
import { findDepth, isItemAt, splitEntries, splitLines } from './yaml-entries.ts';
import { matchLayout, type YamlLayout, type YamlToLayOut } from './yaml-layout.ts';

/**
 * Compares with a text of the base, which is parsed once. The text around the containers must stay the same, byte for byte, so that no
 * parser reads it differently. New entries must be valid YAML on their own, with one meaning in all versions of YAML. Takes linear time,
 * except for new entries. `window` finds the entries that an edit touches; where it finds none, all are compared.
 */
export async function createYamlComparison(
  before: string,
  { containers, what }: DataFile,
  layOut: LayOutYaml,
  window = findWindow,
): Promise<(after: string) => string | undefined> {
  const text = normalize(before);
  const layout = await layOut({ text, containers: containers.map(({ at }) => [...at]) });
  if (layout === undefined) return () => 'its YAML cannot be taken apart safely, so only a person can change it';
  const checks = layout.parts.map((part) => createPartCheck(part, containers[part.container], window));

  return (after) => {
    const match = matchLayout(normalize(after), layout);
    if (match === undefined) {
      return `only ${what} may change, in place and in block style; every other line must stay as it is, comments included`;
    }
    for (const [index, part] of match.parts.entries()) {
      const bad = checks[index]?.(part);
      if (bad !== undefined) return bad;
    }
    return match.rest === '' ? undefined : checkAppended(match.rest, { layout, containers, text });
  };
}

/** `layOutYaml`, in a thread for a large text. */
export type LayOutYaml = (input: YamlToLayOut) => Promise<YamlLayout | undefined>;

/** A line break at the end is not a change. */
function normalize(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines.endsWith('\n') || lines === '' ? lines : `${lines}\n`;
}

/** The parser needs 20 ms for them. */
const maxNewCharacters = 32_000;

type PartCheck = (after: string) => string | undefined;

function createPartCheck(
  { text, indent, read: old }: Omit<YamlLayout['parts'][number], 'container'>,
  container: Container | undefined,
  find: typeof findWindow,
): PartCheck {
  if (container === undefined) return () => 'it holds what nothing describes';
  const key = container.at.at(-1) ?? '';
  const base = splitEntries(text);
  const known = new Set(areWhole(base.texts, old?.value) ? base.texts : []);
  const checkEntry = createEntryCheck(old && isMap(old.value) ? (old.value.k ?? null) : null, container);
  const shapes = new Set(base.texts.map(findShape));
  // In the first entry, an edit may change how all of them are split.
  const places = [...base.starts.slice(1), text.length];
  const canCompareWindow = known.size > 0 && shapes.size === 1 && findBadLine(text, indent) === undefined;

  return (after) => {
    if (after === text || (canCompareWindow && isGoodWindow(after))) return undefined;
    const bad = findBadLine(after, indent);
    if (bad !== undefined) return `${bad} in ${key}`;
    const { texts: added } = splitEntries(after);
    if (new Set(added.map(findShape)).size > 1) return `indent the entries alike in ${key}`;
    if (listMarked(added) !== listMarked(base.texts)) return `keep the entries with & or * in ${key}`;
    const problem = checkNew(added.length > 0 ? added : [`${' '.repeat(indent)}k${after}`], added.length > 0);
    return problem === undefined ? undefined : `${problem} in ${key}`;
  };

  /** Checks only the entries that the edit touches: the others keep their text, and so their meaning. */
  function isGoodWindow(after: string): boolean {
    const window = find(text, after, places);
    if (window === undefined || base.style === undefined) return false;
    const { old: removed, now } = window;
    if (findBadEntryLine(now, indent) !== undefined) return false;
    // Lines that continue the entry before them are indented more deeply than any entry.
    const added = splitLines(now, base.style);
    return (
      added.texts.every((entry) => shapes.has(findShape(entry))) &&
      listMarked(added.texts) === listMarked(splitLines(removed, base.style).texts) &&
      checkNew(added.texts, true) === undefined
    );
  }

  /** An entry that the base has is read again only if it may not stand alone. */
  function checkNew(entries: readonly string[], isOne: boolean): string | undefined {
    const news = isOne ? entries.filter((entry) => !known.has(entry)) : entries;
    if (news.join('').length > maxNewCharacters) return 'add fewer entries at once';
    return news.map((entry) => checkText(entry, { isOne, checkEntry })).find((problem) => problem !== undefined);
  }
}

const findShape = (entry: string): string | undefined => /^ *-?/.exec(entry)?.[0];

/** Entries with an anchor or an alias: others may depend on them, and on their order. A `&` inside a word, as in `Q&A`, is neither. */
const listMarked = (entries: readonly string[]): string =>
  JSON.stringify(entries.filter((entry) => /(?<![^\s,[\]{}:])[&*][^\s&*]/.test(entry)));

/** `isOne`: the text must be one item of a list, or one pair of a map. */
function checkText(
  text: string,
  { isOne, checkEntry }: { isOne: boolean; checkEntry: (after: Data) => string | undefined },
) {
  const read = readYaml(text);
  if (read === undefined) return 'an entry is not valid YAML';
  const [oddity] = read.oddities;
  if (oddity !== undefined) return `write it without ${oddity}`;
  const { value } = read;
  const count = value === null || typeof value !== 'object' ? 0 : Object.keys(value).length;
  if (count !== 1) return isOne ? 'an entry is not one entry' : 'it is not one part';
  return checkEntry(isOne || !isMap(value) ? value : (value.k ?? null));
}

/** YAML does not allow tabs as indentation; some of the others end a line in YAML 1.1. */
const hasBadCharacter = (text: string): boolean => /[^\P{Cc}\n]|[\u2028\u2029\uFEFF]/u.test(text);

/** All lines are deeper than the key, but for items of its list. Flow style and tabs would need the whole file to be read alike. */
function findBadLine(text: string, indent: number): string | undefined {
  const [first = ''] = text.split('\n', 1);
  if (hasBadCharacter(first)) return badCharacter;
  if (!/^: *(?:#.*|[|>][+-]?|[\w./*!-][^#:[\]{}&*!%@`"']*)?$/.test(first))
    return 'write it in block style, one entry per line';
  return findBadEntryLine(text.slice(first.length), indent);
}

/** The same for lines behind the first. */
function findBadEntryLine(text: string, indent: number): string | undefined {
  if (hasBadCharacter(text)) return badCharacter;
  for (const line of text.split('\n')) {
    const depth = findDepth(line);
    if (depth === -1) continue;
    if (depth < indent || (depth === indent && !isItemAt(line, depth))) return 'indent all lines';
  }
  return text === '' || text.endsWith('\n') ? undefined : 'end it with a line break';
}

const badCharacter = 'write it without tabs and control characters';

/** Whether each text is one entry of the value, so that it means the same anywhere in it. */
function areWhole(entries: readonly string[], value: Data | undefined): boolean {
  const inner = isMap(value) ? (value.k ?? null) : null;
  const count = inner !== null && typeof inner === 'object' ? Object.keys(inner).length : 0;
  return count === entries.length;
}

/** A container that the base lacks may follow at the end, where its key stands at the top. */
function checkAppended(
  rest: string,
  { layout, containers, text }: { layout: YamlLayout; containers: readonly Container[]; text: string },
): string | undefined {
  const present = new Set(layout.parts.map(({ container }) => container));
  const missing = containers.filter(({ at }, index) => at.length === 1 && !present.has(index));
  const sections = rest.split(/^(?=[^\s#-])/m).filter((section) => !/^(?:\s|#.*\n)*$/.test(section));
  if (hasBadCharacter(rest)) return 'write it without tabs and control characters';
  if (/^(?:\.\.\.|---)/m.test(text)) return 'its end is marked, so nothing can follow';
  for (const section of sections) {
    const [, key, part = ''] = /^([a-z_]+)(:[\s\S]*)$/.exec(section) ?? [];
    const container = missing.find(({ at }) => at[0] === key);
    if (container === undefined) return `only ${missing.map(({ at }) => at[0]).join(', ') || 'entries'} may be added`;
    if (sections.filter((other) => other.startsWith(`${key}:`)).length > 1) return `${key} would be there twice`;
    const bad = createPartCheck(
      { indent: 0, text: ':\n', read: undefined },
      container,
      findWindow,
    )(`${part.trimEnd()}\n`);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
