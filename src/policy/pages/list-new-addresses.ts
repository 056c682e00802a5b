import { isProse } from '../../docs/page-extensions.ts';
import { findMergeBase } from '../../git/commits.ts';
import { isPlain, readRawDiff } from '../../git/diffs.ts';
import type { InRepository } from '../../git/git.ts';
import { ThreadFailure } from '../../threads/threads.ts';
import { readChangedFiles } from '../base-files.ts';
import { type ForeignReaders, inlineReaders } from '../judge/foreign-readers.ts';
import { plainName } from '../places/file-types.ts';
import { readLayout } from '../places/read-layout.ts';
import { listMentionedHosts } from './list-hosts.ts';
import { createFindings, findHost } from './page-code.ts';

/** The addresses, in order, that the pages of a change link to or load, on hosts that no page of the base names. */
export async function listNewAddresses(
  options: InRepository & {
    /** The tip of the branch that the change is for. */
    base: string;
    sha: string;
    /** Their merge base, where it is known. */
    from?: string | undefined;
    readPage?: ForeignReaders['readPage'] | undefined;
  },
): Promise<string[]> {
  const { base, sha, from: known, readPage = inlineReaders.readPage, ...repository } = options;
  const from = known ?? (await findMergeBase({ ...repository, commits: [base, sha] })) ?? base;
  const { changes } = await readRawDiff({ ...repository, from, to: sha });
  const paths = changes.flatMap(({ path, newMode }) => (isProse(path) && isPlain(newMode) ? [path] : []));
  if (paths.length === 0) return [];
  const head = await readChangedFiles({ ...repository, from, to: sha, changes });
  const layout = await readLayout(head);
  const found = new Map<string, string>();
  for (const [path, text] of await head.readTexts(paths)) {
    for (const address of await readAddresses(path, text)) {
      const host = findHost(address);
      if (host !== undefined) found.set(address, host);
    }
  }
  if (found.size === 0) return [];
  const named = await listMentionedHosts({ ...repository, sha: base });
  return [...found].flatMap(([address, host]) => (named.has(host) ? [] : [address])).toSorted();

  async function readAddresses(path: string, text: string): Promise<readonly string[]> {
    try {
      return (await readPage({ path, text, dialect: layout.findDialect(plainName(path)) })).addresses;
    } catch (error) {
      if (!(error instanceof ThreadFailure)) throw error;
      // Fails closed: addresses in code examples count, too.
      const findings = createFindings();
      findings.addAddresses(text);
      return findings.content().addresses;
    }
  }
}
