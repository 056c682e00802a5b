import type { ReadFile } from '../../git/find-files-at.ts';
import {
  listCursorRules,
  listFolderRules,
  listStyleGuides,
  otherRulesPaths,
  ownRulesPath,
  rootRulesPath,
} from '../../repository/guidance-paths.ts';
import { isAboutPages, listImports } from '../../repository/list-imports.ts';
import { bound } from '../../text/bound.ts';
import type { GuidanceFile } from './checkout.ts';

/** Some 5,000 tokens, which every request of the run carries. */
const maxFileLength = 16_000;
const maxLength = 20_000;
const maxFiles = 12;
const maxImportDepth = 3;
const maxUnread = 20;

interface Rules {
  /** Where two contradict each other, the later one counts. */
  quoted: GuidanceFile[];
  /** Rules that did not fit, and texts for people, such as CONTRIBUTING. The agent may read them. */
  unread: string[];
}

/** The files that may hold writing rules, without those that they import. */
export const listRules = (paths: readonly string[]): string[] => [
  ...[ownRulesPath, rootRulesPath, ...otherRulesPaths],
  ...listFolderRules(paths),
  ...listCursorRules(paths),
];

/** Reads the writing rules for agents at a commit until the limits are reached, the most general rules first. */
export async function readRules({
  paths,
  read,
  strip,
}: {
  paths: readonly string[];
  read: ReadFile;
  /** Removes text that people do not see. */
  strip: (text: string) => Promise<string>;
}): Promise<Rules> {
  const known = new Set(paths);
  const cursorRules = new Set(listCursorRules(paths));
  const quoted: (GuidanceFile & { weight: number })[] = [];
  const unread = new Set<string>();
  const seen = new Set<string>();
  let left = maxLength;

  async function take(path: string, weight: number, depth = 0): Promise<void> {
    if (seen.has(path) || !known.has(path)) return;
    seen.add(path);
    const written = await read(path);
    if (written === undefined || (cursorRules.has(path) && !isAboutPages(written))) return;
    const stripped = (await strip(bound(written, 2 * maxFileLength))).trim();
    const text = bound(stripped, maxFileLength);
    // One file often repeats another, for a second agent.
    if (text === '' || quoted.some((file) => file.text === text)) return;
    const isTooMuch = quoted.length === maxFiles || depth > maxImportDepth || text.length > left;
    if (isTooMuch || text !== stripped || written.length > 2 * maxFileLength) unread.add(path);
    if (isTooMuch) return;
    left -= text.length;
    quoted.push({ path, text, weight });
    for (const imported of listImports(text, path)) await take(imported, weight, depth + 1);
  }

  await take(ownRulesPath, 3);
  if (!known.has(ownRulesPath)) await take(rootRulesPath, 1);
  for (const path of listFolderRules(paths)) await take(path, 2);
  for (const path of [...otherRulesPaths, ...cursorRules]) await take(path, 0);
  const named = [...unread, ...listStyleGuides(paths).filter((path) => !seen.has(path))];
  return {
    quoted: quoted.toSorted((a, b) => a.weight - b.weight).map(({ path, text }) => ({ path, text })),
    unread: named.slice(0, maxUnread),
  };
}
