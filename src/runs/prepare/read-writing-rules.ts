import type { ReadFile } from '../../git/find-files-at.ts';
import {
  isStyleGuide,
  listFolderRules,
  listGuides,
  listScopedRules,
  otherRulesPaths,
  ownRulesPath,
  rootRulesPath,
} from '../../repository/guidance-paths.ts';
import { bound, cutText } from '../../text/bound.ts';
import type { GuidanceFile } from '../checkout.ts';

/** Some 3,000 tokens, which every request of the run carries. */
const maxLength = 12_000;
/** A longer file is cut before `cutLength`, where a section or a paragraph ends. */
const maxFileLength = 10_000;
const cutLength = 8_000;
/** A short guide costs less than a request to read it. */
const maxGuideLength = 1_500;
const maxReadLength = 40_000;
const maxFiles = 12;
const maxImportDepth = 3;
const maxUnread = 20;
const maxHintLength = 240;

interface Rules {
  /** Where two contradict each other, the later one counts. */
  quoted: GuidanceFile[];
  /** Rules that did not fit, with their headings, and texts for people, such as CONTRIBUTING. The agent may read them. */
  unread: string[];
}

/** The files that may hold writing rules, without those that they import. */
export const listRules = (paths: readonly string[]): string[] => [
  ...[ownRulesPath, rootRulesPath, ...otherRulesPaths],
  ...listFolderRules(paths),
  ...listScopedRules(paths),
];

/** Reads the writing rules for agents at a commit until the limits are reached, the most general rules first. */
export async function readRules(options: {
  paths: readonly string[];
  read: ReadFile;
  /** Removes text that people do not see. */
  strip: (text: string) => Promise<string>;
}): Promise<Rules> {
  const { paths, read, strip } = options;
  const known = new Set(paths);
  const scopedRules = new Set(listScopedRules(paths));
  const quoted: (GuidanceFile & { weight: number })[] = [];
  const unread: string[] = [];
  const seen = new Set<string>();
  let left = maxLength;

  async function readText(path: string): Promise<string> {
    seen.add(path);
    return (await strip(bound((await read(path)) ?? '', maxReadLength))).trim();
  }

  function leave(path: string, describe: () => string): void {
    if (unread.length >= maxUnread) return;
    const hint = describe();
    unread.push(hint === '' ? path : `${path}: ${hint}`);
  }

  function quote(path: string, text: string, weight: number): void {
    left -= text.length;
    quoted.push({ path, text, weight });
  }

  async function take(path: string, weight: number, depth = 0): Promise<void> {
    if (seen.has(path) || !known.has(path)) return;
    const whole = await readText(path);
    const { text, rest } = cutRules(whole);
    // One file often repeats another, for a second agent.
    if (text === '' || quoted.some((file) => file.text === text)) return;
    const scope = scopedRules.has(path) ? findRuleScope(whole) : 'always';
    if (scope === 'never') return;
    if (scope === 'sometimes' || quoted.length === maxFiles || depth > maxImportDepth || text.length > left) {
      leave(path, () => describeText(whole));
      return;
    }
    if (rest !== '') leave(path, () => ['the rest', describeText(rest)].filter(Boolean).join(': '));
    quote(path, text, weight);
    for (const imported of listImports(text, path)) await take(imported, weight, depth + 1);
  }

  await take(ownRulesPath, 3);
  if (!known.has(ownRulesPath)) await take(rootRulesPath, 1);
  for (const path of listFolderRules(paths)) await take(path, 2);
  for (const path of [...otherRulesPaths, ...scopedRules]) await take(path, 0);
  const guides = listGuides(paths).filter((guide) => !seen.has(guide));
  for (const path of guides.slice(0, maxUnread)) {
    // `style.md` may be a page about the styles of the product.
    const isForWriters = isStyleGuide(path) && /guide/i.test(path);
    const text = isForWriters && quoted.length < maxFiles ? await readText(path) : '';
    if (text !== '' && text.length <= Math.min(maxGuideLength, left)) quote(path, text, 0);
    else leave(path, () => '');
  }
  return {
    quoted: quoted.toSorted((a, b) => a.weight - b.weight).map(({ path, text }) => ({ path, text })),
    unread,
  };
}

/** `rest`: what a long file says after `text`. */
function cutRules(whole: string): { text: string; rest: string } {
  if (whole.length <= maxFileLength) return { text: whole, rest: '' };
  const start = whole.slice(0, cutLength);
  const at = [/\n(?=#{1,6} )/g, /\n\n/g]
    .map((end) => [...start.matchAll(end)].at(-1)?.index ?? 0)
    .find((index) => index > cutLength / 2);
  const text = cutText(start, at ?? cutLength);
  return { text: text.trimEnd(), rest: whole.slice(text.length) };
}

/** What a scoped rule says of itself, or the headings of a text. */
function describeText(text: string): string {
  const headings = Array.from(text.matchAll(/^#{1,3} +(\S.*)$/gm), ([, heading = '']) => heading.trim());
  return bound((describeRule(text) || headings.join(', ')).replace(/\s+/g, ' '), maxHintLength);
}

const maxFrontLength = 4_000;
/** All pages, or all of a folder at the root. */
const everyPage = /^(?:[\w.-]{1,100}\/)?(?:\*\*|(?:\*\*\/)?\*(?:\.(?:mdx?|\{[^{}]{0,100}\}))?)$/;
const somePages = /\.(?:mdx?|\{[^{}]{0,100}mdx?)|(?:^|\/)docs?\//;

/**
 * When a rule of Cursor or Copilot is about pages: `sometimes` are rules for some folders of them, and those that an agent chooses by
 * their description. https://cursor.com/docs/context/rules,
 * https://docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions
 */
export function findRuleScope(rule: string): 'always' | 'sometimes' | 'never' {
  const front = readFront(rule);
  if (front === undefined || /^alwaysApply:[ \t]*true\b/m.test(front)) return 'always';
  const globs = listGlobs(front);
  if (globs.some((glob) => everyPage.test(glob) && (/md/.test(glob) || !/\.\{/.test(glob)))) return 'always';
  if (globs.length > 0) return globs.some((glob) => somePages.test(glob)) ? 'sometimes' : 'never';
  return /^description:[ \t]*\S/m.test(front) ? 'sometimes' : 'never';
}

/** What its front matter says of a rule: the description, and the files that it is for. */
export function describeRule(rule: string): string {
  const front = readFront(rule) ?? '';
  const described = /^description:[ \t]*(\S.*)$/m.exec(front)?.[1] ?? '';
  const globs = listGlobs(front).join(', ');
  return globs === '' ? described : `${described} (for ${globs})`.trim();
}

const readFront = (rule: string): string | undefined =>
  /^---\r?\n([\s\S]*?)\n---/.exec(rule.slice(0, maxFrontLength))?.[1];

/** Reads globs from a line with commas, or from a list. Commas in braces part no globs. */
function listGlobs(front: string): string[] {
  const [, value = ''] = /^(?:globs|applyTo):[ \t]*(.*(?:\r?\n[ \t]*-.*)*)/m.exec(front) ?? [];
  return value
    .split(/\r?\n[ \t]*-|,(?![^{}\n]{0,200}\})/)
    .map((glob) => glob.replace(/["'[\]]/g, '').trim())
    .filter(Boolean);
}

const maxImports = 50;
/** A path that ends like a text of rules: `@scope/package` and `@rita` are none. */
const importPattern = /(?<=^|\s)@([^\s@`]{1,200}\.(?:mdc?|mdx|txt))(?=[\s.,;:)]|$)/gm;

/**
 * The files that a text of rules imports by `@path`, as paths in the repository; not those outside of it, nor in code.
 * https://code.claude.com/docs/en/memory#import-additional-files
 */
export function listImports(text: string, path: string): string[] {
  const folder = path.split('/').slice(0, -1);
  const found = [...withoutCode(text).matchAll(importPattern)]
    .slice(0, maxImports)
    .flatMap(([, target = '']) => resolve(folder, target) ?? []);
  return [...new Set(found)];
}

function withoutCode(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').filter((line) => {
    const [, mark] = /^ {0,3}(```|~~~)/.exec(line) ?? [];
    if (mark === undefined) return fence === undefined;
    if (fence === undefined) fence = mark;
    else if (fence === mark) fence = undefined;
    return false;
  });
  return lines.join('\n').replace(/`[^`\n]*`/g, '');
}

function resolve(folder: readonly string[], target: string): string | undefined {
  if (/^[/~\\]/.test(target)) return undefined;
  const names = [...folder];
  for (const name of target.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join('/');
}
