import { decodeAddress } from '../decode-address.ts';
import type { Reading } from '../documentation.ts';
import type { LinkForm } from '../pages/list-links.ts';
import type { Site } from '../sites/open-sites.ts';
import { folderOf, isBelow } from '../tree.ts';
import type { Reference } from './reference.ts';

interface Wish {
  /** The file that holds the reference, after the move. */
  place: string;
  /** Where the reference has to lead. */
  wanted: string;
  site: Site;
}

interface WishWithReadings extends Wish {
  /** What it led to before the move. */
  from: string;
  before: Reading;
  after: Reading;
}

const extension = /\.(?:mdx?|mdoc|markdown|html)$/i;
const indexName = /(^|\/)(?:index|README)$/i;

/** Spellings of a link, the most similar to how it is written first. The caller checks that a spelling leads there. */
export function spellLink({ written, form, site: siteBefore }: Reference, wish: WishWithReadings): string[] {
  const { place, wanted, site } = wish;
  const cut = written.search(/[?#]/);
  const [target, tail] = cut < 0 ? [written, ''] : [written.slice(0, cut), written.slice(cut)];
  const address = decodeAddress(target);
  const hasExtension = /\.\w{1,8}$/.test(address);
  const endsWithSlash = address.endsWith('/') && address !== '/';
  const forms = target.startsWith('/')
    ? spellAbsolute(address, { siteBefore, ...wish })
    : [
        ...spellRelative(address, relativePath(folderOf(place), wanted), hasExtension),
        ...spellBelowRoots(wanted, site, hasExtension),
        ...spellByAddress(wish, hasExtension),
        // Last: it leads there wherever absolute links are checked.
        ...addressesOf(site, wanted),
        relativePath(folderOf(place), wanted),
      ];
  return [
    ...new Set(
      forms.map(
        (one) => escapeTarget(endsWithSlash && !one.endsWith('/') && !hasExtension ? `${one}/` : one, form) + tail,
      ),
    ),
  ];
}

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
  const roots = [...site.staticFolders, ...site.linkRoots].filter((folder) => isBelow(wanted, folder));
  const files = roots.map((folder) => `/${folder === '' ? wanted : wanted.slice(folder.length + 1)}`);
  const written = before.tree.paths.has(from) && suffix !== '' ? files : [];
  return [
    ...written,
    ...addresses.map((one) => one + (isIndex ? '/index' : '') + suffix),
    ...addresses.map((one) => one + suffix),
    ...addresses,
    ...files,
    ...files.map(withoutExtension),
  ];
}

const addressesOf = (site: Site, path: string): string[] => {
  const page = site.pages.get(path);
  return page === undefined ? [] : site.addressesOf(path, page);
};

function spellRelative(address: string, path: string, hasExtension: boolean): string[] {
  const dotted = address.startsWith('./') && !path.startsWith('../') ? `./${path}` : path;
  const html = address.endsWith('.html') ? [dotted.replace(extension, '.html')] : [];
  const bare = withoutExtension(dotted);
  const shorter = bare.replace(indexName, '$1').replace(/(?<=.)\/$/, '') || '.';
  return hasExtension ? [...html, dotted] : [...(indexName.test(address) ? [bare] : [shorter, bare]), dotted];
}

const spellBelowRoots = (wanted: string, { linkRoots }: Site, hasExtension: boolean): string[] =>
  linkRoots
    .filter((folder) => isBelow(wanted, folder))
    .map((folder) => (folder === '' ? wanted : wanted.slice(folder.length + 1)))
    .map((path) => (hasExtension ? path : withoutExtension(path)));

/** Relative to the page's address, as browsers and some frameworks read it. */
function spellByAddress({ place, wanted, site }: Wish, hasExtension: boolean): string[] {
  const target = addressesOf(site, wanted)[0];
  if (target === undefined || hasExtension) return [];
  return addressesOf(site, place).flatMap((own) =>
    [folderOf(own), own].map((base) => relativePath(base.replace(/^\//, ''), target.replace(/^\//, ''))),
  );
}

/** Spellings of an import or include. */
export function spellPart({ written }: Reference, { place, wanted, site }: Wish): string[] {
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
  return hasExtension ? forms : [...forms.map(cut), ...forms];
}

/**
 * The spelling of an entry of navigation, redirects or data. `text` is what stands in the file, which may be the end of a path: what is
 * before it comes from around it, such as a folder that the entry is relative to. Undefined if no end of the new path fits.
 */
export function spellEntry(
  { text, file }: Reference & { text: string },
  { wanted, from, before, after, site }: WishWithReadings,
): string | undefined {
  const cut = text.search(/[?#]/);
  const [own, tail] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut)];
  const decoded = decodeAddress(own);
  const pairs = [
    ...pairNames({ from, wanted, site, before, after }),
    ...pairAddresses({ from, wanted, site, before }),
    [from, wanted] as const,
    [withoutExtension(from), withoutExtension(wanted)] as const,
    [relativePath(folderOf(file), from), relativePath(folderOf(file), wanted)] as const,
    [`./${relativePath(folderOf(file), from)}`, `./${relativePath(folderOf(file), wanted)}`] as const,
    [
      withoutExtension(relativePath(folderOf(file), from)),
      withoutExtension(relativePath(folderOf(file), wanted)),
    ] as const,
  ];
  const slashes = /^(\/?)(.*?)(\/?)$/s.exec(decoded);
  const [, start = '', core = '', end = ''] = slashes ?? [];
  for (const [old, now] of pairs) {
    const [a, b] = [trimSlashes(old), trimSlashes(now)];
    // The end of the old path is written here: what stands before it must be the same.
    if (core === '' || !(a === core || a.toLowerCase() === core.toLowerCase() || a.endsWith(core))) continue;
    const base = a.slice(0, a.length - core.length);
    if (!b.startsWith(base)) continue;
    // The address of the start page is a slash.
    if (b === base && (base !== '' || start === '')) continue;
    return start + encodeLike(b.slice(base.length), own) + end + tail;
  }
  return undefined;
}

/** Names by which the navigation knows the page, such as its id. */
function pairNames({ from, wanted, site, before, after }: Omit<WishWithReadings, 'place'>): [string, string][] {
  const namesIn = ({ sites }: Reading, path: string) => {
    const own = sites.find(({ framework, root }) => framework === site.framework && root === site.root);
    const page = own?.pages.get(path);
    return page === undefined ? [] : (own?.namesOf?.(path, page) ?? []);
  };
  const [old, now] = [namesIn(before, from), namesIn(after, wanted)];
  return old.flatMap((name, index): [string, string][] => {
    const other = now[index];
    return other === undefined ? [] : [[name, other]];
  });
}

function pairAddresses({
  from,
  wanted,
  site,
  before,
}: {
  from: string;
  wanted: string;
  site: Site;
  before: Reading;
}): [string, string][] {
  const [now] = addressesOf(site, wanted);
  const old = before.sites.flatMap((each) => addressesOf(each, from));
  if (now === undefined) return [];
  return old.flatMap((one): [string, string][] => [
    [one, now],
    [`${one}.html`, `${now}.html`],
  ]);
}

const withoutExtension = (path: string) => path.replace(extension, '');
const trimSlashes = (path: string) => path.replace(/^\/|\/$/g, '');
const encodeLike = (path: string, like: string) => (/%[0-9a-f]{2}/i.test(like) ? encodeURI(path) : path);

/** What Markdown or an attribute cannot hold as it is. */
function escapeTarget(target: string, form: LinkForm | undefined): string {
  switch (form) {
    case 'bracketed':
      return target;
    case 'attribute':
      return target.replaceAll('"', '%22').replaceAll("'", '%27');
    default:
      return target
        .replace(/[\s()<>"\\]/g, encodeURIComponent)
        .replace(/[()]/g, (mark) => (mark === '(' ? '%28' : '%29'));
  }
}

/** From a folder to a file: `../b/c.md`. */
export function relativePath(folder: string, path: string): string {
  const [names, target] = [folder.split('/').filter(Boolean), path.split('/')];
  const differs = names.findIndex((name, index) => name !== target[index]);
  const shared = Math.min(differs < 0 ? names.length : differs, target.length - 1);
  return '../'.repeat(names.length - shared) + target.slice(shared).join('/');
}
