import type { ReadFile } from '../../git/find-files-at.ts';
import { describeRule, findRuleScope } from '../../repository/find-rule-scope.ts';
import {
  isStyleGuide,
  listFolderRules,
  listGuides,
  listScopedRules,
  otherRulesPaths,
  ownRulesPath,
  rootRulesPath,
} from '../../repository/guidance-paths.ts';
import { listImports } from '../../repository/list-imports.ts';
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
