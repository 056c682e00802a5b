import { areEqual, type Data, isMap } from '../../docs/formats/data.ts';
import type { EntryRules } from '../../docs/frameworks/edits/data-files.ts';

/**
 * `before`: the existing data. Returns why new data is refused, for the model; undefined if it is allowed. Checks each key with its value
 * alone, so that an entry can move within the container, and an unusual value can stay.
 */
export function createEntryCheck(before: Data, rules: EntryRules): (after: Data) => string | undefined {
  // Most checks meet nothing new, and do not need this list.
  let known: ReturnType<typeof listKnown> | undefined;
  const mayBeNew = (key: string, keys: ReadonlySet<string>): boolean =>
    key === '' ||
    rules.keys === 'any' ||
    rules.keys.includes(key) ||
    rules.otherKeys?.test(key) ||
    (keys.has(key) && !key.startsWith('$') && !rules.isClosed);
  return (after) => {
    let bad: string | undefined;
    visitChanged(before, after, '', (key, value) => {
      if (bad !== undefined) return;
      known ??= listKnown(before);
      if (known.leaves.has(nameLeaf(key, value))) return;
      bad = mayBeNew(key, known.keys) ? findBadLeaf(key, value, rules) : describeKey(key, rules);
    });
    return bad;
  };
}

function listKnown(before: Data): { leaves: ReadonlySet<string>; keys: ReadonlySet<string> } {
  const leaves = new Set<string>();
  const keys = new Set<string>();
  visit(before, '', (key, value) => {
    keys.add(key);
    leaves.add(nameLeaf(key, value));
  });
  return { leaves, keys };
}

const describeKey = (key: string, { keys }: EntryRules): string =>
  `${quote(key)} is not a key that you may set here${keys === 'any' || keys.length === 0 ? '' : `; you may set ${keys.join(', ')}`}`;

type Visitor = (key: string, value: Data | undefined) => void;

/** Calls back for each key, and for each value that is not an object or a list, with the key that it stands below. */
function visit(value: Data, key: string, look: Visitor): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, key, look);
  } else if (value !== null && typeof value === 'object') {
    for (const [name, child] of Object.entries(value)) {
      look(name, undefined);
      visit(child, name, look);
    }
  } else {
    look(key, value);
  }
}

/** Like `visit`, without values that are equal at the same place in `before`. Items of lists are compared from both ends. */
function visitChanged(before: Data | undefined, after: Data, key: string, look: Visitor): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length === after.length) {
      for (const [at, item] of after.entries()) visitChanged(before[at], item, key, look);
    } else {
      const { start, end } = trimEqual(before, after);
      for (const item of after.slice(start, end)) visit(item, key, look);
    }
  } else if (isMap(before) && isMap(after)) {
    for (const [name, child] of Object.entries(after)) {
      const old = Object.hasOwn(before, name) ? before[name] : undefined;
      if (old === undefined) look(name, undefined);
      visitChanged(old, child, name, look);
    }
  } else if (before !== after) {
    visit(after, key, look);
  }
}

/** The items of `after` between the common start and the common end. */
function trimEqual(before: readonly Data[], after: readonly Data[]): { start: number; end: number } {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && areEqual(before[start], after[start])) start += 1;
  let kept = 0;
  while (kept < most - start && areEqual(before.at(-1 - kept), after.at(-1 - kept))) kept += 1;
  return { start, end: after.length - kept };
}

const nameLeaf = (key: string, value: Data | undefined): string => `${typeof value} ${value} ${key}`;

/** In HTML, and in components: https://html.spec.whatwg.org/multipage/indices.html#ix-event-handlers. A title may be `Online`. */
const eventName =
  /^on(?:[A-Z][A-Za-z]*|(?:abort|animation|auxclick|before|blur|cancel|can|change|click|close|context|copy|cue|cut|dblclick|drag|drop|duration|emptied|ended|error|focus|form|hash|input|invalid|key|load|message|mouse|offline|page|paste|pause|play|pointer|popstate|progress|rate|ready|reject|reset|resize|scroll|security|seek|select|slot|stalled|storage|submit|suspend|time|toggle|touch|transition|unhandled|unload|volume|waiting|wheel)[a-z]*)$/;

function findBadLeaf(key: string, value: Data | undefined, { keys, texts = [], links, values = {} }: EntryRules) {
  if (value === undefined)
    return findBadText(key) ?? (keys === 'any' && eventName.test(key) ? `${quote(key)} names an event` : undefined);
  const isAllowed = Object.hasOwn(values, key) ? values[key] : values['*'];
  if (isAllowed && !isAllowed(value))
    return `${quote(JSON.stringify(value))} is not a value that ${quote(key)} may get`;
  if (typeof value !== 'string') return undefined;
  const isLink = links === undefined ? !texts.includes(key) : links.includes(key);
  return findBadText(value) ?? (isLink ? findBadLink(value) : undefined);
}

/** Text that a page, a template or another parser could take for more than text. */
export function findBadText(text: string): string | undefined {
  if (/[\p{Cc}\u0085\u2028\u2029\uFEFF]/u.test(text.replaceAll('\n', ''))) return 'it holds a control character';
  if (/<[a-z/!?]/i.test(text)) return `${quote(text)} holds HTML`;
  if (/\{[{%#]|\$\{|<%/.test(text)) return `${quote(text)} holds template syntax`;
  return codeAddress.test(text.replaceAll('\n', '')) ? `${quote(text)} holds code` : undefined;
}

/** In text, words such as `Data: formats` and `Metadata:x` are no address. Browsers skip line breaks in a scheme. */
const codeAddress = /(?<![\p{L}\p{N}+.-])(?:javascript|vbscript|data):(?=\S)/iu;

/** A link is a path, or an http or https address; fumadocs writes it as `[Text](link)`. A word is a path. */
export function findBadLink(text: string): string | undefined {
  const written = Array.from(text.matchAll(/\]\(([^)]*)/g), ([, link = '']) => link);
  return (written.length === 0 ? [text] : written).map(findBadAddress).find((bad) => bad !== undefined);
}

/** Without a user name and without placeholders, which could lead anywhere. */
const host = /^(?:[\p{L}\p{N}._-]+(?::\d+)?)?$/u;

function findBadAddress(written: string): string | undefined {
  const link = written.trim();
  if (/^(?:javascript|vbscript|data):/i.test(link.replace(/\s+/g, ''))) return `${quote(link)} holds code`;
  if (/^[\\/]{2}|\\/.test(link)) return `${quote(link)} has no protocol of its own; write https://`;
  if (/^[a-z][a-z\d+.-]*:(?=\S)/i.test(link) && !/^(?:https?:\/\/|mailto:)[^\s\\]+$/i.test(link))
    return `${quote(link)} is neither a path nor an http address`;
  const named = /^https?:\/\/([^/?#]*)/i.exec(link)?.[1] ?? '';
  if (!host.test(named))
    return `${quote(link)} names no host; write its name and nothing else between https:// and the path`;
  const isPath = !/^[a-z]+:/i.test(link);
  return isPath && link.split(/[/?#]/).includes('..') ? `${quote(link)} leads out of its folder` : undefined;
}

export const quote = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return `\`${line.length > 80 ? `${line.slice(0, 80)}…` : line}\``;
};

const running = new Set(
  `plugins plugin presets preset themes theme head scripts script stylesheets styles style css scss less extra_javascript
  extra_css remarkPlugins rehypePlugins remark rehype mdx markdown components component render setup slots props vite webpack
  rollup esbuild babel loaders loader modules module require import imports exec command shell env process fetch hooks hook
  middleware integrations integration adapter headers html srcdoc src srcset svg template templates function eval code`.split(
    /\s+/,
  ),
);

/** Whether a key makes something load or run, where a key is not the name of a page. */
export const isRunningKey = (key: string): boolean =>
  running.has(key) ||
  isHiddenKey(key) ||
  /^(?:remark|rehype|transform|build|config|before|after|extend)[A-Z]/.test(key);

/** Properties of every object, events, and HTML: no page has such a name. */
const isHiddenKey = (key: string): boolean =>
  inherited.has(key) || /^__.|innerHTML$/i.test(key) || (key.startsWith('on') && eventName.test(key));

const inherited = new Set(['prototype', ...Object.getOwnPropertyNames(Object.prototype)]);

/** Whether the value of a key stays whole: an entry neither gains such a key nor changes it. */
export const isFixedKey = (key: string, { keys }: EntryRules): boolean =>
  keys === 'any' ? isHiddenKey(key) : !keys.includes(key) && isRunningKey(key);
