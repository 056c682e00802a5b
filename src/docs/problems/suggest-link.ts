import { findNearest } from '../../find-nearest-name.ts';
import type { createAnchorTest } from '../sites/anchors.ts';
import type { Site } from '../sites/open-sites.ts';
import { resolveLink } from '../sites/resolve-link.ts';
import { type FileTree, folderOf, nameOf } from '../tree.ts';

interface BrokenLink {
  tree: FileTree;
  site: Site;
  from: string;
  /** As it is written. */
  target: string;
  anchors: ReturnType<typeof createAnchorTest>;
}

const webName = /^(?:www\.)?[\w-]{1,63}\.(?:com|dev|io|net|org)(?:\/|$)/i;

/** An address on the web, for one without its protocol or with a misspelt one. */
export const suggestWeb = (written: string): string | undefined =>
  webName.test(written)
    ? `https://${written}`
    : /^[htps]{3,8}:\/\//i.test(written)
      ? written.replace(/^\w+/, 'https')
      : undefined;

/** The most similar address or image, as a link on the page `from` would write it. */
export function suggestFor(broken: BrokenLink, written: string, isImage: boolean): string | undefined {
  const { tree, site, from } = broken;
  const address = site.areAbsoluteLinksChecked ? written : written.replace(/^\//, '');
  const toLinks = (paths: Iterable<string>) => Array.from(paths, (path) => toLink(site, folderOf(from), path, address));
  if (isImage) {
    const images = [...tree.paths].filter((path) => /\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(path));
    const image = findNearest(address, toLinks(images));
    return image === undefined ? undefined : withAnchor(broken, image);
  }
  const base = site.needsBase === true ? site.baseAddress : '';
  const known = address.startsWith('/')
    ? Array.from(site.exactAddresses ?? site.byAddress.keys(), (each) => base + each)
    : toLinks(site.pages.keys());
  const name = nameLink(address);
  const sameName = known.filter((each) => nameLink(each) === name);
  const nearest = sameName.length === 1 ? sameName[0] : findNearest(address, known);
  if (nearest === undefined) return undefined;
  const leads = (target: string) => resolveLink({ tree, site, from, target }).kind === 'page';
  const link = !leads(nearest) && leads(`${nearest}/`) ? `${nearest}/` : nearest;
  const file = site.byAddress.get(nearest.slice(base.length).toLowerCase());
  return `${withAnchor(broken, link)}${file === undefined ? '' : ` (${file})`}`;
}

/** A page that moved keeps its name, and one beside it may be spelled more alike. */
const nameLink = (link: string) => nameOf(link.replace(/\/$/, '')).replace(/\.\w+$/, '');

/** With the anchor of the broken link, if the suggested page has it. */
function withAnchor({ tree, site, from, target, anchors }: BrokenLink, link: string): string {
  const hash = target.indexOf('#');
  const found = hash < 0 ? undefined : resolveLink({ tree, site, from, target: link + target.slice(hash) });
  const isThere = found?.kind === 'page' && found.anchor !== '' && anchors.has(found.path, found.anchor);
  return `${link}${isThere ? target.slice(hash) : ''}`;
}

/** A file's path as a link on a page of `folder` would write it. */
function toLink({ staticFolders, root, relativeLinks }: Site, folder: string, path: string, like: string): string {
  if (like.startsWith('/')) {
    const base = staticFolders.find((each) => path.startsWith(each === '' ? '' : `${each}/`)) ?? root;
    return `/${base === '' ? path : path.slice(base.length + 1)}`;
  }
  const relative = toRelative(folder, path);
  const keepsDot = like.startsWith('./') || relative.startsWith('../') || relativeLinks === 'dotted-files';
  const dotted = keepsDot ? relative : relative.replace(/^\.\//, '');
  return relativeLinks === 'named-files' || /\.\w+$/.test(like) ? dotted : dotted.replace(/\.\w+$/, '');
}

export function toRelative(folder: string, path: string): string {
  const [from, to] = [folder.split('/').filter(Boolean), path.split('/')];
  const common = from.findIndex((name, index) => name !== to[index]);
  const shared = common < 0 ? from.length : common;
  return (shared === from.length ? './' : '../'.repeat(from.length - shared)) + to.slice(shared).join('/');
}
