import type { Documentation } from '../documentation.ts';
import { plain } from '../frameworks/plain.ts';
import { extensionOf, isMarkdown, otherPageExtensions } from '../page-extensions.ts';
import type { Site } from '../sites/open-sites.ts';
import { type Distrust, listDistrusted } from './learn-from-base.ts';
import { findBefore } from './site-problems.ts';

/** Fewer pages in another format, beside those that are read, are no part of the documentation. */
const leastShare = 0.1;
const nouns: Record<Distrust['kind'], string> = {
  link: 'Links',
  image: 'Images',
  anchor: 'Anchors',
  import: 'Imports and includes',
  'alt-text': 'Texts of images',
};

/** What the checks leave alone and why: one sentence each, for people. `all`: broken links are listed even where most are broken. */
export function listUnchecked({ base, head }: Documentation, { all = false }: { all?: boolean } = {}): string[] {
  const sites = head.sites.filter(({ pages }) => pages.size > 0);
  const known = sites.filter(({ framework }) => framework !== plain);
  const read = sites.reduce((sum, { pages }) => sum + pages.size, 0);
  const unread = [...head.tree.paths].filter(
    (path) =>
      otherPageExtensions.some((each) => each === extensionOf(path)) && !sites.some(({ pages }) => pages.has(path)),
  );
  const tooLarge = [...head.tree.paths].filter((path) => isMarkdown(path) && head.tree.read(path) === undefined);
  const isUnknown = known.length === 0 && read + unread.length > 0;
  return [
    ...(isUnknown
      ? ['Not checked: this site’s framework is not known, so navigation, addresses and redirects are left alone.']
      : []),
    ...(unread.length > 0 && (isUnknown || unread.length >= read * leastShare)
      ? [`Not checked: ${count(unread.length)} in ${listExtensions(unread)}, which belong to no known site.`]
      : []),
    ...(tooLarge.length > 0 ? [`Not checked: ${count(tooLarge.length)} beyond the size that is read.`] : []),
    ...head.found.flatMap(({ site }) => {
      const before = findBefore(all ? head.found : base.found, site);
      return before === undefined ? [] : listDistrusted(before).map((each) => describe(each, site, known, all));
    }),
  ];
}

function describe({ kind, broken, total }: Distrust, { root }: Site, sites: readonly Site[], all: boolean): string {
  const where = sites.length > 1 && root !== '' ? ` of ${root}` : '';
  const share = `${broken.toLocaleString('en')} of ${total.toLocaleString('en')} ${kind === 'alt-text' ? 'have none' : 'are broken already'}`;
  return all
    ? `${nouns[kind]}${where}: ${share}. Perhaps this site has rules that are not known, so a change is not judged by them.`
    : `${nouns[kind]}${where} are not judged: ${share}.`;
}

const count = (pages: number) => `${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'}`;

const listExtensions = (paths: readonly string[]) =>
  [...new Set(paths.map((path) => `.${extensionOf(path)}`))].toSorted().join(' and ');
