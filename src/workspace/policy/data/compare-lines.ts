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
  const bad = findBadText(line);
  if (bad !== undefined) return bad;
  const isRedirect = redirectRules.values?.status?.(status.replace(/!$/, ''));
  return isRedirect ? findBadLink(to) : `${quote(line)} is no redirect: use 301, 302, 303, 307 or 308`;
}

/** Headings and lists of links: https://gitbook.com/docs/getting-started/git-sync/content-configuration#summary */
export function findBadSummaryLine(line: string): string | undefined {
  // Only a link may stand in angle brackets.
  const open = line.replace(/\]\(<[^<>]*>/g, (link) => link.replace(/[<>]/g, ''));
  const bad = findBadText(open) ?? (/[<>]|^\[[^\]]*\]:/.test(open) ? `${quote(line)} is more than a link` : undefined);
  if (bad !== undefined) return bad;
  for (const [, link = ''] of open.matchAll(/\]\(\s*([^\s)]*)/g)) {
    const badLink = findBadLink(link);
    if (badLink !== undefined) return badLink;
  }
  return undefined;
}
