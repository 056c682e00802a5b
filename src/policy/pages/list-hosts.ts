import { prosePathspecs } from '../../docs/page-extensions.ts';
import type { InRepository } from '../../git/git.ts';
import { grepFiles } from '../../git/grep-files.ts';

/** An address where Markdown, HTML, reStructuredText or AsciiDoc has a link: after a bracket, a quote, `<` or `link:`. */
const link = `(\\]\\(<?|\\]: *<?|<|["'\`]|[a-z]=|link:|image::?|_[^:]*: +)https?://[A-Za-z0-9.-]+`;

/**
 * The hosts, in lower case, that the pages of a commit link to. For links in texts of Pagewright, pass the tip of the base branch: the
 * job's branch holds what the agent wrote. Misses a host rather than adds one: bare addresses in prose do not count.
 */
export const listHosts = (commit: InRepository & { sha: string }): Promise<ReadonlySet<string>> =>
  grepHosts(commit, link);

/** Every host, in lower case, that an address anywhere in the pages of a commit names. */
export const listMentionedHosts = (commit: InRepository & { sha: string }): Promise<ReadonlySet<string>> =>
  grepHosts(commit, '//[A-Za-z0-9.-]+');

async function grepHosts(commit: InRepository & { sha: string }, pattern: string): Promise<ReadonlySet<string>> {
  const found = await grepFiles(commit, ['-h', '-o', '-i', '-E', '-e', pattern], { pathspecs: prosePathspecs });
  const hosts = found.split('\n').map((line) => line.slice(line.lastIndexOf('//') + 2).toLowerCase());
  return new Set(hosts.filter((host) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(host)));
}
