import { drawLink, replaceLink } from './find-links.ts';
import { misspell } from './misspell.ts';
import { drawPage, type Ground, type Seed, tells } from './seed.ts';

export const breakLink: Seed = (ground) => {
  const drawn = drawLink(
    ground,
    ({ link, found }) =>
      link.kind === 'link' &&
      found.kind === 'page' &&
      misspell(link.target) !== link.target &&
      !link.target.startsWith('#'),
  );
  if (!drawn) return undefined;
  const change = new Map([[drawn.path, replaceLink(drawn.text, drawn.link, misspell(drawn.link.target))]]);
  // A link of a SUMMARY.md is an entry.
  return { framework: drawn.site.framework.name, change, isTold: tells(drawn.path, 'link', 'navigation') };
};

export const breakImage: Seed = (ground) => {
  const drawn = drawLink(ground, ({ link, found }) => link.kind === 'image' && found.kind === 'file');
  if (!drawn) return undefined;
  const change = new Map([[drawn.path, replaceLink(drawn.text, drawn.link, misspell(drawn.link.target))]]);
  return { framework: drawn.site.framework.name, change, isTold: tells(drawn.path, 'image') };
};

export const breakAnchor: Seed = (ground) => {
  const drawn = drawLink(
    ground,
    ({ found, site }) => found.kind === 'page' && found.anchor.length > 3 && site.pages.has(found.path),
  );
  if (!drawn) return undefined;
  const target = drawn.link.target.replace(/#.*$/, '#zz-no-such-heading');
  const change = new Map([[drawn.path, replaceLink(drawn.text, drawn.link, target)]]);
  return { framework: drawn.site.framework.name, change, isTold: tells(drawn.path, 'anchor') };
};

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
  const change = new Map([[path, text.replace(line, `${/^#+/.exec(line)?.[0]} Zz unheard of`)]]);
  return { framework: drawn.site.framework.name, change, isTold: tells(drawn.path, 'anchor') };
};

export const deleteImage: Seed = (ground) => {
  const drawn = drawLink(ground, ({ link, found }) => link.kind === 'image' && found.kind === 'file');
  if (!drawn) return undefined;
  return {
    framework: drawn.site.framework.name,
    change: new Map([[drawn.found.path, null]]),
    isTold: tells(drawn.path, 'image'),
  };
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
    const text = page.text.slice(0, part.start) + misspell(part.target) + page.text.slice(part.end);
    const change = new Map([[page.path, text]]);
    return { framework: page.site.framework.name, change, isTold: tells(page.path, 'import') };
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
  return {
    framework: page.site.framework.name,
    change: new Map([[other, page.text]]),
    isTold: tells(undefined, 'address'),
  };
};
