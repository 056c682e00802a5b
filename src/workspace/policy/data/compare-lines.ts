import { redirectRules } from './data-files.ts';
import { findBadLink, findBadText, quote } from './entries.ts';

/** Compares files in which each line is an entry: a line that the base has may stay and move. */
export function compareLines(
  before: string,
  after: string,
  findBad: (line: string) => string | undefined,
): string | undefined {
  const known = new Set(before.split(/\r?\n/).map((line) => line.trimEnd()));
  for (const line of after.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const bad = known.has(line.trimEnd()) ? undefined : (findBadText(line.trim()) ?? findBad(line.trim()));
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** https://docs.netlify.com/manage/routing/redirects/overview/#syntax-for-the-redirects-file */
export function findBadRedirect(line: string): string | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const [from = '', to = '', status = '301', ...more] = line.split(/\s+/);
  if (!from.startsWith('/') || to === '' || more.length > 0) return `${quote(line)} is not \`/from /to 301\``;
  const isRedirect = redirectRules.values?.status?.(status.replace(/!$/, ''));
  return isRedirect ? findBadLink(to) : `${quote(line)} is no redirect: use 301, 302, 303, 307 or 308`;
}

/** Headings and lists of links: https://gitbook.com/docs/getting-started/git-sync/content-configuration#summary */
export function findBadSummaryLine(line: string): string | undefined {
  if (/\{\{|\{%|[<>](?!\))|^\[[^\]]*\]:/.test(line.replace(/\]\(<[^<>]*>/g, '](')))
    return `${quote(line)} is more than a link`;
  for (const [, angled, plain] of line.matchAll(/\]\(\s*(?:<([^<>]*)>|([^\s)]*))/g)) {
    const bad = findBadLink(angled ?? plain ?? '');
    if (bad !== undefined) return bad;
  }
  return undefined;
}
