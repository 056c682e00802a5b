import { decodeAddress } from '../decode-address.ts';
import { isScript } from '../frameworks/scripts.ts';
import type { Reference } from '../questions/list-references.ts';
import type { Reading } from '../reading.ts';
import { findPart } from '../sites/find-part.ts';
import { findSameSite, type Site, type SiteEntry } from '../sites/open-sites.ts';
import { resolveLink } from '../sites/resolve-link.ts';
import { folderOf } from '../tree.ts';
import {
  addressesOf,
  relativePath,
  spellLink,
  spellPart,
  type WishWithReadings,
  withoutPageExtension,
} from './spell-link.ts';

/** Returns a spelling of the reference that leads to the wanted file: the current one if it still does. Undefined: none does. */
export function respell(reference: Reference, wish: WishWithReadings): { text: string; isSame: boolean } | undefined {
  const { file, start, end } = reference;
  const before = wish.before.tree.read(file) ?? '';
  const text = before.slice(start, end);
  const spelled = spell({ ...reference, text }, wish);
  if (spelled === undefined) return undefined;
  return {
    text: spelled !== text && isBareKey(before, reference) ? toKey(spelled) : spelled,
    isSame: spelled === text,
  };
}

/** The name of a property of JavaScript without quotes. */
const isBareKey = (text: string, { file, kind, start }: Reference) =>
  kind === 'navigation' && isScript(file) && !/["'`]/.test(text[start - 1] ?? '');

const toKey = (name: string) => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : `'${name}'`);

function spell(reference: Reference & { text: string }, wish: WishWithReadings): string | undefined {
  const { place, wanted, after, site } = wish;
  const { text, written, kind, form } = reference;
  const { tree } = after;
  switch (kind) {
    case 'link':
    case 'image': {
      const leads = (target: string) => {
        const found = resolveLink({ tree, site, from: place, target, ...(form && { form }) });
        return (found.kind === 'page' || found.kind === 'file') && found.path === wanted;
      };
      return leads(written) ? text : spellLink(reference, wish).find(leads);
    }
    case 'import':
    case 'include': {
      const leads = (target: string) => findPart(tree, site, place, target) === wanted;
      return leads(written) ? text : spellPart(reference, wish).find(leads);
    }
    case 'navigation': {
      const entries = after.sites.flatMap(({ navigation }) => navigation);
      const isSame = ({ file, target }: SiteEntry) => file === place && target === written;
      return entries.some((entry) => isSame(entry) && leadsTo(entry, wanted)) ? text : spellEntry(reference, wish);
    }
    case 'redirect':
    case 'mention': {
      // A page with an address of its own keeps it.
      const found = written.startsWith('/') && resolveLink({ tree, site, from: place, target: written });
      return found && found.kind === 'page' && found.path === wanted ? text : spellEntry(reference, wish);
    }
    case 'redirect from':
      return text;
  }
}

const leadsTo = ({ page, means }: SiteEntry, path: string) =>
  page === path || (page === undefined && (means.includes(path) || means.includes(`${path}/`)));

/**
 * The spelling of an entry of navigation, redirects or data. `text`, as in the file, may be the end of a path whose beginning comes from
 * elsewhere, such as a folder that the entry is relative to. Undefined if no end of the new path fits.
 */
function spellEntry(
  { text, file, form }: Reference & { text: string },
  { place, wanted, from, before, after, site }: WishWithReadings,
): string | undefined {
  const [spelled] = form === undefined ? [] : (site.spell?.(text, wanted, place) ?? []);
  if (spelled !== undefined) return spelled;
  const cut = text.search(/[?#]/);
  const [own, tail] = cut < 0 ? [text, ''] : [text.slice(0, cut), text.slice(cut)];
  const decoded = decodeAddress(own);
  const [near, now] = [relativePath(folderOf(file), from), relativePath(folderOf(place), wanted)];
  const beside = [
    [near, now] as const,
    [`./${near}`, `./${now}`] as const,
    [withoutPageExtension(near), withoutPageExtension(now)] as const,
  ];
  const pairs = [
    // A toctree that moves, unlike the page.
    ...(form === 'document' && folderOf(file) !== folderOf(place) ? beside : []),
    ...pairNames({ from, wanted, site, before, after }),
    ...(form === 'document' ? [] : pairAddresses({ from, wanted, site, before })),
    [from, wanted] as const,
    [withoutPageExtension(from), withoutPageExtension(wanted)] as const,
    ...beside,
  ];
  const slashes = /^(\/?)(.*?)(\/?)$/s.exec(decoded);
  const [, start = '', core = '', end = ''] = slashes ?? [];
  for (const [old, next] of pairs) {
    const [a, b] = [trimSlashes(old), trimSlashes(next)];
    // The end of the old path is written here: its beginning must stay the same.
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
    const own = findSameSite(sites, site);
    const page = own?.pages.get(path);
    return page === undefined ? [] : (own?.namesOf?.(path, page) ?? []);
  };
  const [old, now] = [namesIn(before, from), namesIn(after, wanted)];
  return old.flatMap((name, index): [string, string][] => {
    const other = now[index];
    return other === undefined ? [] : [[name, other]];
  });
}

function pairAddresses(options: { from: string; wanted: string; site: Site; before: Reading }): [string, string][] {
  const { from, wanted, site, before } = options;
  const [now] = addressesOf(site, wanted);
  const old = before.sites.flatMap((each) => addressesOf(each, from));
  if (now === undefined) return [];
  return old.flatMap((one): [string, string][] => [
    [one, now],
    [`${one}.html`, `${now}.html`],
  ]);
}

const trimSlashes = (path: string) => path.replace(/^\/|\/$/g, '');
const encodeLike = (path: string, like: string) => (/%[0-9a-f]{2}/i.test(like) ? encodeURI(path) : path);
