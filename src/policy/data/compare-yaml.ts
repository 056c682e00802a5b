import { type Data, isMap } from '../../docs/formats/data.ts';
import { readYamlValue } from '../../docs/formats/yaml.ts';
import type { Container, DataFile, EntryRules } from '../../docs/frameworks/edits/data-files.ts';
import { createEntryCheck } from './entries.ts';
import { layOutYaml, matchLayout, type YamlLayout } from './yaml-layout.ts';

/**
 * The text around the containers must stay the same, byte for byte, so that no parser reads it differently. New entries must be valid YAML
 * on their own, with one meaning in all versions of YAML. Takes linear time, except for new entries.
 */
export function compareYaml(before: string, after: string, { containers, what }: DataFile): string | undefined {
  const text = normalize(before);
  const layout = layOutYaml({ text, containers: containers.map(({ at }) => at) });
  if (layout === undefined) return 'its YAML cannot be taken apart safely, so only a person can change it';
  const match = matchLayout(normalize(after), layout);
  if (match === undefined)
    return `only ${what} may change, in place and in block style; every other line must stay as it is, comments included`;
  for (const [index, part] of match.parts.entries()) {
    const old = layout.parts[index];
    const bad = old === undefined ? 'it has a part more' : comparePart(old, part, containers[old.container]);
    if (bad !== undefined) return bad;
  }
  return match.rest === '' ? undefined : checkAppended(match.rest, { layout, containers, text });
}

/** The whole file is data. */
export function compareWholeYaml(before: string | undefined, after: string, rules: EntryRules): string | undefined {
  if ((before?.length ?? 0) > maxNewCharacters) return 'it is too large to be compared, so only a person can change it';
  if (after.length > maxNewCharacters) return 'it would be too large to be compared; split it';
  const old = before === undefined ? undefined : readYamlValue(before);
  const now = readYamlValue(after);
  if (now === undefined) return 'it is not valid YAML';
  const left = [...(old?.oddities ?? [])];
  for (const oddity of now.oddities) {
    const at = left.indexOf(oddity);
    if (at === -1) return `write it without ${oddity}`;
    left.splice(at, 1);
  }
  return createEntryCheck(old?.value ?? null, rules)(now.value);
}

/** A line break at the end is not a change. */
function normalize(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  return lines.endsWith('\n') || lines === '' ? lines : `${lines}\n`;
}

/** The parser needs 20 ms for them. */
const maxNewCharacters = 32_000;

function comparePart(
  { text, indent, readValue }: Omit<YamlLayout['parts'][number], 'container'>,
  after: string,
  container: Container | undefined,
): string | undefined {
  if (container === undefined) return 'it holds what nothing describes';
  if (after === text) return undefined;
  const key = container.at.at(-1) ?? '';
  const bad = findBadLine(after, indent);
  if (bad !== undefined) return `${bad} in ${key}`;
  const base = splitEntries(text);
  const added = splitEntries(after);
  if (new Set(added.map(findShape)).size > 1) return `indent the entries alike in ${key}`;
  if (listMarked(added) !== listMarked(base)) return `keep the entries with & or * in ${key}`;
  const old = readValue();
  // An entry that the base has is read again only if it may not stand alone.
  const known = new Set(areWhole(base, old) ? base : []);
  const news = added.filter((entry) => !known.has(entry));
  const texts = added.length > 0 ? news : [`${' '.repeat(indent)}k${after}`];
  if (texts.join('').length > maxNewCharacters) return `add fewer entries at once in ${key}`;
  const checkEntry = createEntryCheck(old ?? null, container);
  const isOne = added.length > 0;
  const problem = texts.map((entry) => checkText(entry, { isOne, checkEntry })).find((each) => each !== undefined);
  return problem === undefined ? undefined : `${problem} in ${key}`;
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
  const read = readYamlValue(text);
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
  const count = value !== undefined && value !== null && typeof value === 'object' ? Object.keys(value).length : 0;
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
    const bad = comparePart({ indent: 0, text: ':\n', readValue: () => undefined }, `${part.trimEnd()}\n`, container);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** The lines of each entry at the first depth, without comments and empty lines. None for another value than a list or a map in block style. `text` begins behind the key. */
function splitEntries(text: string): string[] {
  const firstLine = text.indexOf('\n') + 1;
  if (firstLine === 0 || !/^: *(?:#.*)?\n/.test(text)) return [];
  const lines = text.slice(firstLine).split('\n').slice(0, -1);
  const content = lines.find((line) => findDepth(line) !== -1);
  if (content === undefined) return [];
  const depth = findDepth(content);
  const isItem = content[depth] === '-';
  const entries: string[] = [];
  for (const line of lines) {
    const found = findDepth(line);
    if (found === -1) continue;
    const opens = found <= depth && (!isItem || found < depth || isItemAt(line, found));
    if (opens || entries.length === 0) entries.push(`${line}\n`);
    else entries.push(`${entries.pop() ?? ''}${line}\n`);
  }
  return entries;
}

/** The spaces in front of a line; -1 for a comment or an empty line. */
function findDepth(line: string): number {
  let depth = 0;
  while (line[depth] === ' ') depth += 1;
  return depth === line.length || line[depth] === '#' ? -1 : depth;
}

const isItemAt = (line: string, depth: number): boolean =>
  line[depth] === '-' && (line.length === depth + 1 || line[depth + 1] === ' ');
