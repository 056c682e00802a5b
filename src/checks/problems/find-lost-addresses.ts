import type { Documentation, Reading } from '../documentation.ts';
import type { FoundProblem } from '../problem.ts';
import type { Site } from '../sites/open-sites.ts';

/** Addresses that pages of the base had, where nothing answers any more: readers, search engines and other sites still have them. */
export function findLostAddresses({
  base,
  head,
  moves,
}: Pick<Documentation, 'base' | 'head' | 'moves'>): FoundProblem[] {
  const movedTo = new Map([...moves].map(([now, was]) => [was, now]));
  return base.sites.flatMap((before) => {
    const site = head.sites.find(({ framework, root }) => framework === before.framework && root === before.root);
    if (!site || !keepsRedirects(before, site)) return [];
    return [...before.pages].flatMap(([path, page]) => {
      const [address] = before.addressesOf(path, page);
      if (address === undefined || page.frontMatter.data.draft === true || isAnswered(site, address, path)) return [];
      const now = head.tree.paths.has(path) ? path : movedTo.get(path);
      return [toProblem({ path, address, site, now, head })];
    });
  });
}

/** Mintlify has a place for them; in other sites, one where redirects lead to pages of the site already. */
const keepsRedirects = ({ framework, redirects, byAddress }: Site, { redirectFiles }: Site): boolean =>
  framework === 'Mintlify' || (redirectFiles.length > 0 && redirects.some(({ to }) => byAddress.has(trim(to ?? ''))));

const trim = (address: string) => (address.split(/[?#]/, 1)[0] ?? '').toLowerCase().replace(/(?<=.)\/$/, '');

function isAnswered(site: Site, address: string, path: string): boolean {
  const others = site.alternatives?.(address, path) ?? [address];
  return others.some((each) => site.byAddress.has(each.toLowerCase()) || site.isRedirected(each));
}

function toProblem({
  path,
  address,
  site,
  now,
  head,
}: {
  path: string;
  address: string;
  site: Site;
  now: string | undefined;
  head: Reading;
}): FoundProblem {
  const [example] = site.redirects;
  const file = example?.file ?? site.redirectFiles[0] ?? site.navigationFile ?? path;
  return {
    file,
    line: example?.line ?? 1,
    kind: 'redirect',
    severity: 'should',
    target: address,
    describe() {
      const page = now === undefined ? undefined : site.pages.get(now);
      const [to] = now === undefined || !page ? [] : site.addressesOf(now, page);
      const what =
        now === undefined
          ? `${path} is deleted`
          : now === path
            ? `${path} has another address`
            : `${path} moved to ${now}`;
      const form = example?.to === undefined ? '' : `, where line ${example.line} has ${example.from} → ${example.to}`;
      const where = head.tree.paths.has(file) ? ` in ${file}${form}` : '';
      return `nothing answers at ${address} any more: ${what}. Add a redirect from ${address}${to === undefined ? '' : ` to ${to}`}${where}`;
    },
  };
}
