import type { Language } from '../frameworks/site-rules.ts';
import type { Site } from '../sites/open-sites.ts';
import { isBelow, joinPath, relativeTo } from '../tree.ts';

/** Of a translated page: the page in its own language that stands for the one in another language that a link leads to. */
export function findOwnTranslation(
  site: Site,
  from: string,
  to: { path: string; written: string },
): string | undefined {
  const own = findLanguage(site, from);
  if (own?.folder === undefined || own.isDefault || isBelow(to.path, own.folder)) return undefined;
  const other = findLanguage(site, to.path);
  // Its writer knows which language it leads to.
  if (other !== undefined && to.written.toLowerCase().includes(`/${other.code.toLowerCase()}/`)) return undefined;
  const folders = other?.folder === undefined ? [...site.folders, site.root] : [other.folder];
  const counterparts = folders
    .filter((folder) => isBelow(to.path, folder))
    .map((folder) => joinPath(own.folder ?? '', relativeTo(to.path, folder)) ?? '');
  // A link to the same page in another language is meant so.
  return counterparts.includes(from) ? undefined : counterparts.find((path) => site.pages.has(path));
}

/** The innermost folder decides. */
const findLanguage = ({ languages }: Site, path: string): Language | undefined =>
  languages
    .filter(({ folder }) => folder !== undefined && isBelow(path, folder))
    .toSorted((a, b) => (b.folder ?? '').length - (a.folder ?? '').length)[0];
