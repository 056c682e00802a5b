import type { Documentation } from '../documentation.ts';
import type { PagePlace } from '../frameworks/framework.ts';
import type { Redirect } from '../frameworks/site-rules.ts';
import type { FoundProblem } from '../problem.ts';
import { findSameSite, type Site } from '../sites/open-sites.ts';
import { writeRedirect } from '../sites/write-redirect.ts';
import { type FileTree, folderOf, joinPath } from '../tree.ts';

/** Addresses that pages of the base had, where nothing answers any more: readers, search engines and other sites still have them. */
export function findLostAddresses({ base, head, moves }: Documentation): FoundProblem[] {
  const movedTo = new Map([...moves].map(([now, was]) => [was, now]));
  return base.sites.flatMap((before) => {
    const site = findSameSite(head.sites, before);
    if (!site || !keepsRedirects(before, site)) return [];
    return [...before.pages].flatMap(([path, page]) => {
      const [address] = before.addressesOf(path, page);
      if (address === undefined || page.frontMatter.data.draft === true || isAnswered(site, address, path)) return [];
      const now = head.tree.paths.has(path) ? path : movedTo.get(path);
      return [toProblem(site, head.tree, { path, address }, now)];
    });
  });
}

/** Whether new redirects have a place: always where the configuration holds them; in other sites, if existing redirects lead to pages of the site. */
const keepsRedirects = (
  { framework, redirects, byAddress, pages }: Site,
  { redirectFiles, redirectCode, pageAliases }: Site,
): boolean =>
  redirectCode === undefined &&
  (framework.keepsRedirects ||
    (redirectFiles.length > 0 && redirects.some((one) => byAddress.has(readTarget(one)))) ||
    (pageAliases !== undefined &&
      pages.values().some(({ frontMatter }) => frontMatter.data[pageAliases.key] !== undefined)));

/** The target, resolved from the redirect's own address and written like the addresses of pages. */
function readTarget({ from, to = '' }: Redirect): string {
  const address = (to.split(/[?#]/, 1)[0] ?? '').toLowerCase().replace(/\.html$|(?<=.)\/$/, '');
  return address.startsWith('/') ? address : `/${joinPath(folderOf(from), address) ?? address}`;
}

/** Whether a page, a redirect or a route of the site answers at an address that the file had. */
export function isAnswered(site: Site, address: string, path: string): boolean {
  const others = site.alternatives?.(address, path) ?? [address];
  // Hosts know addresses with the base address of the site.
  return others.some(
    (each) =>
      site.byAddress.has(each.toLowerCase()) ||
      site.isRedirected(each) ||
      (site.baseAddress !== '' && site.isRedirected(site.baseAddress + each)),
  );
}

/** `now`: where the page is in the head. */
function toProblem(site: Site, tree: FileTree, { path, address }: PagePlace, now: string | undefined): FoundProblem {
  const page = now === undefined ? undefined : site.pages.get(now);
  const [to] = now === undefined || !page ? [] : site.addressesOf(now, page);
  const target = now === undefined || to === undefined ? undefined : { path: now, address: to };
  const redirect = writeRedirect(tree, site, { from: { path, address }, to: target });
  const file = redirect?.file ?? site.navigationFile ?? path;
  return {
    file,
    line: redirect?.line ?? 1,
    kind: 'redirect',
    severity: 'should',
    target: address,
    describe() {
      const what =
        now === undefined
          ? `${path} is deleted`
          : now === path
            ? `${path} has another address`
            : `${path} moved to ${now}`;
      const { pageAliases } = site;
      const where =
        redirect === undefined && pageAliases !== undefined
          ? `: ${pageAliases.key}: [${pageAliases.write(address, path)}] in the front matter of the page for its readers`
          : tree.paths.has(file)
            ? ` in ${redirect?.where ?? file}`
            : '';
      return `nothing answers at ${address} any more: ${what}. Add a redirect from ${address}${to === undefined ? '' : ` to ${to}`}${where}`;
    },
  };
}
