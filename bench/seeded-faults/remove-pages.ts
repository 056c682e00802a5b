import { linksTo } from './find-links.ts';
import { drawPage, type Ground, needPage, type Seed, seed, tells } from './seed.ts';

export const deletePage: Seed = (ground) => {
  const page = drawPage(
    ground,
    (site, path) => !isServedOtherwise(ground, site, path) && linksTo(ground, site, path).length > 0,
  );
  if (!page) return undefined;
  return seed(page.site, page.path, null, tells(undefined, 'link', 'navigation', 'redirect'));
};

export const movePage: Seed = (ground) => {
  const page = drawPage(
    ground,
    (site, path) =>
      !isServedOtherwise(ground, site, path) && !keepsAddress(site, path) && linksTo(ground, site, path).length > 0,
  );
  if (!page) return undefined;
  const change = new Map([
    [page.path, null],
    [movedPath(page.path), page.text],
  ]);
  return { framework: page.site.framework.name, change, isTold: tells(undefined, 'link', 'navigation', 'redirect') };
};

const movedPath = (path: string) => path.replace(/([^/]+)(\.\w+)$/, 'zz-$1-moved$2');

/** Its front matter names it. */
const keepsAddress = (site: Ground['sites'][number], path: string) =>
  site.addressesOf(path, needPage(site, path))[0] === site.addressesOf(movedPath(path), needPage(site, path))[0];

/** Another page, a folder or a redirect answers when it is gone. */
function isServedOtherwise({ tree }: Ground, site: Ground['sites'][number], path: string): boolean {
  const addresses = site.addressesOf(path, needPage(site, path));
  const isFolder = /(?:^|\/)(?:index|readme|page)\.\w+$/i.test(path) || tree.hasFolder(path.replace(/\.\w+$/, ''));
  return (
    isFolder ||
    addresses.some(
      (address) =>
        (site.alternatives?.(address, path) ?? []).some(
          (other) => other !== address && site.byAddress.has(other.toLowerCase()),
        ) || site.isRedirected(address),
    )
  );
}

/** In a site that keeps some, a page goes with all links to it. */
export const loseAddress: Seed = (ground) => {
  const page = drawPage(
    ground,
    (site, path) =>
      site.redirects.some(({ to }) => site.byAddress.has(to?.toLowerCase() ?? '')) &&
      site.addressesOf(path, needPage(site, path)).length > 0 &&
      !isServedOtherwise(ground, site, path),
  );
  if (!page) return undefined;
  return seed(page.site, page.path, null, tells(undefined, 'redirect'));
};
