import { decodeAddress } from '../decode-address.ts';
import type { Page } from '../pages/read-page.ts';
import type { Site } from './open-sites.ts';

/** How the pages of the same sites differ between two states. */
export interface SiteChanges {
  /** Pages whose text or address is another one. */
  changed: readonly string[];
  /** Pages that came or went: what links to them, and to what else came or went with them, says. Undefined: none did. */
  names?: ReadonlySet<string>;
}

/** Undefined if more than pages and their addresses may be different. */
export function compareSites(
  before: readonly Site[],
  after: readonly Site[],
  { changed, moved }: { changed: readonly string[]; moved: readonly string[] },
): SiteChanges | undefined {
  const pairs = after.map((site, index) => [before[index], site] as const);
  const isSame = pairs.every(([was, site]) => was?.framework === site.framework && was.root === site.root);
  const isPage = (path: string) => [...before, ...after].some(({ pages }) => pages.has(path));
  if (!isSame || before.length !== after.length || !moved.every(isPage)) return undefined;
  const others = [...changed, ...moved];
  const keys = [...others];
  for (const [was, site] of pairs) {
    if (was === undefined) continue;
    keys.push(...listDifferent(was.byAddress, site.byAddress), ...listDifferent(was.byLabel, site.byLabel));
    const stayed = [...site.pages].flatMap(([path, page]) => {
      const old = was.pages.get(path);
      return old === undefined ? [] : [{ path, page, old }];
    });
    const addressed = stayed.filter(({ path, page, old }) => {
      const [one, other] = [was.addressesOf(path, old), site.addressesOf(path, page)];
      return one.length !== other.length || one.some((address, at) => address !== other[at]);
    });
    others.push(...addressed.map(({ path }) => path));
    for (const path of others) {
      for (const each of [was, site]) {
        const page = each.pages.get(path);
        if (page !== undefined) keys.push(...each.addressesOf(path, page), ...(each.namesOf?.(path, page) ?? []));
      }
    }
  }
  return { changed: others, names: new Set(keys.map(nameOf)) };
}

const listDifferent = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] => [
  ...before.keys().filter((key) => before.get(key) !== after.get(key)),
  ...after.keys().filter((key) => !before.has(key)),
];

/** A page that stands for its folder is named by this. */
const ofFolder = /\/(?:_?index|readme|page|home|summary)(?:\.[^/]*)?$/;

/** What a link to it has in its text, however it is written. */
const nameOf = (key: string): string => {
  const [name = '', afterDot = ''] = lastOf(key.toLowerCase().replace(ofFolder, '').replace(/\/$/, '')).split('.');
  return name || afterDot;
};

const lastOf = (key: string): string => key.split(/[/:]/).at(-1) ?? '';

/** Whether what the page refers to may be another page now. Links to folders are named by where they stand. */
export function mayLeadElsewhere({ links, parts, excerpts = [] }: Page, names: ReadonlySet<string>): boolean {
  const targets = [...links, ...parts].map(({ target }) => target);
  return [...targets, ...excerpts.map(({ target }) => target)].some((target) => {
    const [written = ''] = decodeAddress(target).toLowerCase().split(/[?#]/, 1);
    return isOfFolder.test(written) || names.values().some((name) => written.includes(name));
  });
}

const isOfFolder = /(?:^|\/)(?:\.{1,2}|_?index|readme)(?:\.\w+)?\/?$|^\/$/;
