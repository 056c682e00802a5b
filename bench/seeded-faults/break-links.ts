import type { ProblemKind } from '../../src/docs/problem-kinds.ts';
import { drawLink, type WorkingLink } from './find-links.ts';
import { drawPage, type Ground, misspell, type Seed, seed, splice, tells } from './seed.ts';

const breakBy =
  (fits: (link: WorkingLink) => boolean, spell: (target: string) => string, ...kinds: ProblemKind[]): Seed =>
  (ground) => {
    const drawn = drawLink(ground, fits);
    if (!drawn) return undefined;
    const { site, path, text, link } = drawn;
    return seed(site, path, splice(text, link, spell(link.target)), tells(path, ...kinds));
  };

const isImage = ({ link, found }: WorkingLink) => link.kind === 'image' && found.kind === 'file';

export const breakLink = breakBy(
  ({ link: { kind, target }, found }) =>
    kind === 'link' && found.kind === 'page' && misspell(target) !== target && !target.startsWith('#'),
  misspell,
  'link',
  // A link of a SUMMARY.md is an entry.
  'navigation',
);
export const breakImage = breakBy(isImage, misspell, 'image');
export const breakAnchor = breakBy(
  ({ found, site }) => found.kind === 'page' && found.anchor.length > 3 && site.pages.has(found.path),
  (target) => target.replace(/#.*$/, '#zz-no-such-heading'),
  'anchor',
);

export const renameHeading: Seed = (ground) => {
  const drawn = drawLink(ground, ({ found, path, site }) => {
    if (found.kind !== 'page' || found.path === path || found.anchor === '') return false;
    const target = site.pages.get(found.path);
    const text = ground.tree.read(found.path);
    const named =
      target?.headings.filter((each) => site.slug(each.text) === found.anchor && each.id === undefined) ?? [];
    const lines = text?.split('\n').filter((line) => line.replace(/^#+\s+/, '').trim() === named[0]?.text) ?? [];
    const others = [...(target?.titles ?? []), ...(target?.ids ?? [])].some(
      (title) => title === found.anchor || site.slug(title) === found.anchor,
    );
    return (
      named.length === 1 && lines.length === 1 && !others && !target?.parts.some((part) => /^[./@]/.test(part.target))
    );
  });
  const { path = '', anchor = '' } = drawn?.found.kind === 'page' ? drawn.found : {};
  const text = ground.tree.read(path);
  const heading = drawn?.site.pages.get(path)?.headings.find((each) => drawn.site.slug(each.text) === anchor);
  if (!drawn || text === undefined || !heading) return undefined;
  const line = text.split('\n').find((each) => /^#/.test(each) && each.replace(/^#+\s+/, '').trim() === heading.text);
  if (line === undefined) return undefined;
  return seed(
    drawn.site,
    path,
    text.replace(line, `${/^#+/.exec(line)?.[0]} Zz unheard of`),
    tells(drawn.path, 'anchor'),
  );
};

export const deleteImage: Seed = (ground) => {
  const drawn = drawLink(ground, isImage);
  if (!drawn) return undefined;
  return seed(drawn.site, drawn.found.path, null, tells(drawn.path, 'image'));
};

/** Of Markdown that is imported, or of any text that is included. */
const breakPart =
  (kind: 'import' | 'include', fits: RegExp): Seed =>
  (ground) => {
    const find = (site: Ground['sites'][number], path: string) =>
      site.pages.get(path)?.parts.find((part) => part.kind === kind && fits.test(part.target));
    const page = drawPage(ground, (site, path) => find(site, path) !== undefined);
    const part = page && find(page.site, page.path);
    if (!page || !part) return undefined;
    const text = splice(page.text, part, misspell(part.target));
    return seed(page.site, page.path, text, tells(page.path, 'import'));
  };

export const breakImport = breakPart('import', /^(?:\.{1,2}\/|@site\/)\S+\.mdx?$/);
export const breakInclude = breakPart('include', /^[\w./-]+\.(?:md|rst|adoc|qmd|txt)$/);

/** `x.md` and `x/index.md`. */
export const shareAddress: Seed = (ground) => {
  const find = (site: Ground['sites'][number], path: string) => {
    const page = site.pages.get(path);
    const other = path.replace(/(\.\w+)$/, '/index$1');
    const [address] = page === undefined ? [] : site.addressesOf(path, page);
    const isSame =
      site.framework.hasExactAddresses &&
      page !== undefined &&
      address !== undefined &&
      site.addressesOf(other, page)[0] === address;
    return isSame && site.isPage(other) && !ground.tree.hasFolder(path.replace(/\.\w+$/, '')) ? other : undefined;
  };
  const page = drawPage(ground, (site, path) => find(site, path) !== undefined);
  const other = page && find(page.site, page.path);
  if (!page || other === undefined) return undefined;
  return seed(page.site, other, page.text, tells(undefined, 'address'));
};
