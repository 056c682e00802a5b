import { isScript } from '../frameworks/scripts.ts';
import type { Reference } from '../questions/reference.ts';
import { findPart } from '../sites/find-part.ts';
import type { SiteEntry } from '../sites/open-sites.ts';
import { resolveLink } from '../sites/resolve-link.ts';
import { spellEntry } from './spell-entry.ts';
import { spellLink, spellPart } from './spell-link.ts';
import type { WishWithReadings } from './spelling.ts';

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
