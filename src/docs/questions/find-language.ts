import type { Language } from '../frameworks/site-rules.ts';
import type { Reading } from '../reading.ts';
import { isBelow } from '../tree.ts';

/** The language in whose folder a path lies; undefined for the site's own. */
export function createLanguageLookup({ sites }: Reading): (path: string) => Language | undefined {
  const languages = sites
    .flatMap((site) => site.languages)
    .filter(({ folder, isDefault }) => folder !== undefined && folder !== '' && !isDefault)
    .toSorted((a, b) => (b.folder?.length ?? 0) - (a.folder?.length ?? 0));
  return (path) => languages.find(({ folder }) => folder !== undefined && isBelow(path, folder));
}

/** The folders that a translation service writes. */
export const listGenerated = ({ sites }: Reading): string[] => [
  ...new Set(
    sites
      .flatMap((site) => site.languages)
      .flatMap(({ folder, isGenerated }) => (isGenerated && folder ? [folder] : [])),
  ),
];

/** The paths of the same page in the other languages, where they lie in folders of their own. */
export function listTranslations({ tree, sites }: Reading, path: string): string[] {
  const site = sites.find(({ pages }) => pages.has(path));
  const folders = site?.languages.flatMap(({ folder, isDefault }) => folder ?? (isDefault ? site.root : [])) ?? [];
  const own = folders.filter((folder) => isBelow(path, folder)).toSorted((a, b) => b.length - a.length)[0];
  if (own === undefined) return [];
  const below = own === '' ? path : path.slice(own.length + 1);
  return folders
    .map((folder) => (folder === '' ? below : `${folder}/${below}`))
    .filter((other) => other !== path && tree.paths.has(other));
}
