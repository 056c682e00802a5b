import { findNearest } from './nearest.ts';
import type { Page } from './pages/read-page.ts';
import type { Problem } from './problem.ts';
import { createAnchorTest } from './sites/anchors.ts';
import { findPart } from './sites/find-part.ts';
import type { Site } from './sites/open-sites.ts';
import { resolveLink } from './sites/resolve-link.ts';
import { type FileTree, folderOf } from './tree.ts';

/** Links, images, anchors, imports and includes of a site that lead to nothing, and how many were looked at. */
export function findLinkProblems(tree: FileTree, site: Site): { problems: Problem[]; checkedLinks: number } {
  const anchors = createAnchorTest(tree, site);
  const problems: Problem[] = [];
  let checkedLinks = 0;
  for (const [path, page] of site.pages) {
    for (const { target, start, kind } of page.links) {
      const found = resolveLink({ tree, site, from: path, target });
      if (found.kind === 'unchecked') continue;
      checkedLinks += 1;
      const place = { file: path, line: page.lineOf(start) };
      if (found.kind === 'broken') {
        const lost = describeLost({ tree, site, from: path, address: found.address, isImage: kind === 'image' });
        problems.push({
          ...place,
          kind,
          severity: 'must',
          target: found.address,
          message: `${kind} ${target} ${lost}`,
        });
      } else if (found.kind === 'page' && found.anchor !== '' && !anchors.has(found.path, found.anchor)) {
        const nearest = findNearest(found.anchor, anchors.list(found.path));
        const hint = nearest === undefined ? '' : `. Did you mean #${nearest}?`;
        problems.push({
          ...place,
          kind: 'anchor',
          severity: 'should',
          target: `${found.path}#${found.anchor}`,
          message: `link ${target}: ${found.path} has no heading or id for #${found.anchor}${hint}`,
        });
      }
    }
    problems.push(...findLostParts(tree, site, path, page));
  }
  return { problems, checkedLinks };
}

function describeLost({
  tree,
  site,
  from,
  address,
  isImage,
}: {
  tree: FileTree;
  site: Site;
  from: string;
  address: string;
  isImage: boolean;
}): string {
  if (isImage) {
    const folder = folderOf(from);
    const nearest = findNearest(
      address,
      [...tree.paths]
        .filter((path) => /\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(path))
        .map((path) => toLink(site, folder, path, address)),
    );
    return `leads to no file${nearest === undefined ? '' : `. Did you mean ${nearest}?`}`;
  }
  const nearest = address.startsWith('/')
    ? findNearest(address, site.byAddress.keys())
    : findNearest(
        address,
        [...site.pages.keys()].map((path) => toLink(site, folderOf(from), path, address)),
      );
  if (nearest === undefined) return 'leads to no page';
  const file = site.byAddress.get(nearest);
  return `leads to no page. Did you mean ${nearest}${file === undefined ? '' : ` (${file})`}?`;
}

/** A file's path as a link on a page of `folder` would write it. */
function toLink({ staticFolders, root }: Site, folder: string, path: string, like: string): string {
  if (like.startsWith('/')) {
    const base = staticFolders.find((each) => path.startsWith(each === '' ? '' : `${each}/`)) ?? root;
    return `/${base === '' ? path : path.slice(base.length + 1)}`;
  }
  const [from, to] = [folder.split('/').filter(Boolean), path.split('/')];
  const common = from.findIndex((name, index) => name !== to[index]);
  const shared = common < 0 ? from.length : common;
  const up = '../'.repeat(from.length - shared);
  const relative = up + to.slice(shared).join('/');
  const dotted = up === '' && like.startsWith('./') ? `./${relative}` : relative;
  return /\.\w+$/.test(like) ? dotted : dotted.replace(/\.\w+$/, '');
}

function findLostParts(tree: FileTree, site: Site, path: string, page: Page): Problem[] {
  return page.parts
    .filter(({ target }) => /^(?:\.{1,2}\/|\/|@site\/)/.test(target) && !/[{}$*?!]/.test(target))
    .filter(({ target }) => findPart(tree, site, path, target) === undefined)
    .map(({ target, start }) => ({
      file: path,
      line: page.lineOf(start),
      kind: 'import',
      severity: 'must',
      target,
      message: `${target} is imported or included here, but there is no such file`,
    }));
}
