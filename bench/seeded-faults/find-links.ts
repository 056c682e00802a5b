import type { Link } from '../../src/docs/pages/list-links.ts';
import type { Site } from '../../src/docs/sites/open-sites.ts';
import { type Resolution, resolveLink } from '../../src/docs/sites/resolve-link.ts';
import { draw, drawPage, type Ground } from './seed.ts';

export interface WorkingLink {
  site: Site;
  path: string;
  text: string;
  link: Link;
  found: Extract<Resolution, { kind: 'page' | 'file' }>;
}

/** A link into the repository that is not in an attribute. */
export function drawLink(ground: Ground, fits: (link: WorkingLink) => boolean): WorkingLink | undefined {
  let drawn: WorkingLink | undefined;
  drawPage(ground, (site, path, text) => {
    const links = (site.pages.get(path)?.links ?? []).flatMap((link): WorkingLink[] => {
      if (!['inline', 'resource'].includes(link.form) || text.slice(link.start, link.end) !== link.target) return [];
      const found = resolveLink({ tree: ground.tree, site, from: path, target: link.target, form: link.form });
      return found.kind === 'page' || found.kind === 'file' ? [{ site, path, text, link, found }] : [];
    });
    drawn = draw(links.filter(fits), ground.random);
    return drawn !== undefined;
  });
  return drawn;
}

/** All links to a page of the same site, from other pages. */
export const linksTo = ({ tree }: Ground, site: Site, target: string, anchor?: string): string[] =>
  [...site.pages].flatMap(([path, page]) => {
    const isLinking =
      path !== target &&
      page.links.some((link) => {
        if (link.form === 'attribute' && !site.areAttributesChecked) return false;
        const found = resolveLink({ tree, site, from: path, target: link.target, form: link.form });
        return found.kind === 'page' && found.path === target && (anchor === undefined || found.anchor === anchor);
      });
    return isLinking ? [path] : [];
  });
