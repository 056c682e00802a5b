import type { FoundProblem } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';

/** A README beside an index is for readers of the repository. */
const isReadme = (path: string) => /(?:^|\/)readme\.\w+$/i.test(path);

/** Pages whose address another page has already. Drafts are not built. */
export function findSharedAddresses(site: Site): FoundProblem[] {
  if (!site.framework.hasExactAddresses) return [];
  const first = new Map<string, string>();
  const problems: FoundProblem[] = [];
  for (const [file, page] of site.pages) {
    const [address] = page.frontMatter.data.draft === true ? [] : site.addressesOf(file, page);
    if (address === undefined) continue;
    const other = first.get(address);
    if (other === undefined) first.set(address, file);
    else if (!isReadme(file) && !isReadme(other))
      problems.push({
        file,
        line: 1,
        kind: 'address',
        severity: 'must',
        target: address,
        describe: () => `${other} has the same address ${address}, so readers see only one of these pages`,
      });
  }
  return problems;
}
