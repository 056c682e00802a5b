import { decodeAddress } from '../decode-address.ts';
import type { LinkForm } from '../pages/list-links.ts';
import type { Reference } from '../questions/list-references.ts';
import type { Reading } from '../reading.ts';
import type { Site } from '../sites/open-sites.ts';
import { folderOf, isBelow, relativeTo } from '../tree.ts';

/** The place of a reference, and the file that it has to lead to. */
interface Wish {
  /** The file that holds the reference, after the move. */
  place: string;
  wanted: string;
  site: Site;
}

export interface WishWithReadings extends Wish {
  /** What it led to before the move. */
  from: string;
  before: Reading;
  after: Reading;
}

const extension = /\.(?:mdx?|mdoc|markdown|html|rst|adoc|qmd|rmd)$/i;

export const withoutPageExtension = (path: string) => path.replace(extension, '');

export const addressesOf = (site: Site, path: string): string[] => {
  const page = site.pages.get(path);
  return page === undefined ? [] : site.addressesOf(path, page);
};

/** The address with the prefix of each other language. */
export function listInLanguages({ languages }: Site, address: string): string[] {
  const own = languages.find(({ code }) => isBelow(`${address}/`, `/${code}`));
  const below = own === undefined ? address : address.slice(own.code.length + 1);
  return languages.filter((each) => each !== own).map(({ code }) => `/${code}${below}`);
}

/** From a folder to a file: `../b/c.md`. */
export function relativePath(folder: string, path: string): string {
  const [names, target] = [folder.split('/').filter(Boolean), path.split('/')];
  const differs = names.findIndex((name, index) => name !== target[index]);
  const shared = Math.min(differs < 0 ? names.length : differs, target.length - 1);
  return '../'.repeat(names.length - shared) + target.slice(shared).join('/');
}

const indexName = /(^|\/)(?:index|README)$/i;

/** Spellings of a link, the most similar to how it is written first. The caller checks that a spelling leads there. */
export function spellLink({ written, form, site: siteBefore }: Reference, wish: WishWithReadings): string[] {
  const { place, wanted, site } = wish;
  const page = site.pages.get(wanted);
  if (form === 'label') return page === undefined ? [] : [...(site.labelsOf?.(wanted, page) ?? page.labels ?? [])];
  const own = site.spell?.(written, wanted, place) ?? [];
  if (own.length > 0) return own;
  const cut = written.search(/[?#]/);
  const [target, tail] = cut < 0 ? [written, ''] : [written.slice(0, cut), written.slice(cut)];
  const address = decodeAddress(target);
  const hasExtension = /\.\w{1,8}$/.test(address);
  const endsWithSlash = address.endsWith('/') && address !== '/';
  const forms = target.startsWith('/')
    ? spellAbsolute(address, { siteBefore, ...wish })
    : [
        ...spellAlias(target, wanted, site),
        ...spellRelative(address, relativePath(folderOf(place), wanted), hasExtension),
        ...spellBelowRoots(wanted, site, hasExtension),
        ...spellByAddress(wish, hasExtension),
        // Last: it leads there wherever absolute links are checked.
        ...addressesOf(site, wanted),
        relativePath(folderOf(place), wanted),
      ];
  return [
    ...new Set(
      [...(endsWithSlash ? forms.map((one) => (one.endsWith('/') ? one : `${one}/`)) : []), ...forms].map(
        (one) => escapeTarget(one, form) + tail,
      ),
    ),
  ];
}

const spellAlias = (target: string, wanted: string, { aliases = {} }: Site): string[] =>
  Object.entries(aliases).flatMap(([prefix, folder]) =>
    target.startsWith(prefix) && isBelow(wanted, folder) ? [prefix + relativeTo(wanted, folder)] : [],
  );

function spellAbsolute(
  address: string,
  { siteBefore, site, from, wanted, before }: WishWithReadings & { siteBefore: Site },
): string[] {
  const suffix = extension.exec(address)?.[0] ?? '';
  const bare = address.replace(extension, '').replace(/(?<=.)\/$/, '');
  const isIndex = indexName.test(bare);
  const old = siteBefore.pages.get(from);
  const prefixes = (old === undefined ? [] : siteBefore.addressesOf(from, old)).flatMap((one) =>
    one !== '/' && bare.replace(indexName, '').toLowerCase().endsWith(one.toLowerCase())
      ? [bare.slice(0, bare.replace(indexName, '').length - one.length)]
      : [],
  );
  const addresses = [...prefixes, ''].flatMap((prefix) => addressesOf(site, wanted).map((one) => prefix + one));
  // The page of another language that falls back to this one keeps its language.
  const language = site.languages.find(({ code }) => isBelow(`${bare}/`, `/${code}`));
  const own = addressesOf(site, wanted).flatMap((one) =>
    language === undefined || isBelow(`${one}/`, `/${language.code}`)
      ? []
      : listInLanguages(site, one).filter((each) => isBelow(`${each}/`, `/${language.code}`)),
  );
  const roots = [...site.staticFolders, ...site.linkRoots].filter((folder) => isBelow(wanted, folder));
  const files = roots.map((folder) => `/${folder === '' ? wanted : wanted.slice(folder.length + 1)}`);
  const written = before.tree.paths.has(from) && suffix !== '' ? files : [];
  return [
    ...written,
    ...own.map((one) => one + suffix),
    ...addresses.map((one) => one + (isIndex ? '/index' : '') + suffix),
    ...addresses.flatMap((one) => (one === '/' ? [] : one + suffix)),
    ...addresses,
    ...addresses.map((one) => `${one}/`),
    ...files,
    ...files.map(withoutPageExtension),
  ];
}

function spellRelative(address: string, path: string, hasExtension: boolean): string[] {
  const below = path.startsWith('../') ? path : `./${path}`;
  const dotted = address.startsWith('./') ? below : path;
  const html = address.endsWith('.html') ? [dotted.replace(extension, '.html')] : [];
  const bare = withoutPageExtension(dotted);
  const shorter = bare.replace(indexName, '$1').replace(/(?<=.)\/$/, '') || '.';
  return hasExtension ? [...html, dotted, below] : [...(indexName.test(address) ? [bare] : [shorter, bare]), dotted];
}

const spellBelowRoots = (wanted: string, { linkRoots }: Site, hasExtension: boolean): string[] =>
  linkRoots
    .filter((folder) => isBelow(wanted, folder))
    .map((folder) => (folder === '' ? wanted : wanted.slice(folder.length + 1)))
    .map((path) => (hasExtension ? path : withoutPageExtension(path)));

/** Relative to the page's address, as browsers and some frameworks read it. */
function spellByAddress({ place, wanted, site }: Wish, hasExtension: boolean): string[] {
  const target = addressesOf(site, wanted)[0];
  if (target === undefined || hasExtension) return [];
  return addressesOf(site, place).flatMap((own) =>
    [folderOf(own), own].map((base) => relativePath(base.replace(/^\//, ''), target.replace(/^\//, ''))),
  );
}

/** Spellings of an import or include. */
export function spellPart({ written }: { written: string }, { place, wanted, site }: Wish): string[] {
  const own = site.spell?.(written, wanted, place) ?? [];
  const hasExtension = /\.\w{1,8}$/.test(written);
  const alias = /^@\w*\/|^~\/|^\//.exec(written)?.[0];
  const relative = relativePath(folderOf(place), wanted);
  const needsDot = /^\.{1,2}\//.test(written) && !relative.startsWith('../');
  const below = [site.root, ...site.linkRoots, '']
    .filter((folder) => isBelow(wanted, folder))
    .map((folder) => (folder === '' ? wanted : wanted.slice(folder.length + 1)));
  const forms =
    alias === undefined
      ? [needsDot ? `./${relative}` : relative, ...below]
      : [...below.map((path) => alias + path), `./${relative}`];
  const cut = (path: string) => path.replace(/\.\w{1,8}$/, '').replace(/\/index$/, '');
  return [...own, ...(hasExtension ? forms : [...forms.map(cut), ...forms])];
}

function escapeTarget(target: string, form: LinkForm | undefined): string {
  switch (form) {
    case 'bracketed':
    case 'reference':
    case 'document':
    case 'path':
      return target;
    case 'attribute':
      return target.replaceAll('"', '%22').replaceAll("'", '%27');
    default:
      return target
        .replace(/[\s()<>"\\]/g, encodeURIComponent)
        .replace(/[()]/g, (mark) => (mark === '(' ? '%28' : '%29'));
  }
}
