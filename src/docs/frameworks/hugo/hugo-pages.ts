import { type Data, isMap } from '../../formats/data.ts';
import { stringIn } from '../../formats/settings.ts';
import type { Page } from '../../pages/read-page.ts';
import { folderOf, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import type { HugoContent } from './hugo-settings.ts';

/** Where a file of the content is, before its front matter says otherwise. */
export interface ContentPlace {
  language: string;
  /** Below the content, without language and ending. A section's page is its folder. */
  names: string[];
  isSection: boolean;
}

/** Of pages that Hugo reads itself. */
const pageEnding = /\.(?:md|markdown|html?)$/i;

/** The place of each path below the content; undefined for files that belong to another page. */
export function createPlaces(
  paths: readonly string[],
  { contents, codes, defaultCode }: { contents: readonly HugoContent[]; codes: readonly string[]; defaultCode: string },
): (path: string) => ContentPlace | undefined {
  const bundles = new Set(paths.filter((path) => /(?:^|\/)index(?:\.[\w-]+)?\.\w+$/.test(path)).map(folderOf));
  return (path) => {
    const content = contents.find(({ folder }) => path === folder || isBelow(path, folder));
    if (content === undefined || !pageEnding.test(path)) return undefined;
    const below = path === content.folder ? content.at : joinPath(content.at, relativeTo(path, content.folder));
    const stem = (below ?? '').replace(pageEnding, '');
    const code = codes.find((each) => stem.toLowerCase().endsWith(`.${each}`));
    const names = (code === undefined ? stem : stem.slice(0, -code.length - 1)).split('/');
    const name = names.at(-1);
    const isIndex = name === 'index' || name === '_index';
    const folder = folderOf(path);
    const isResource = listFolders(name === 'index' ? folderOf(folder) : folder, content.folder).some((each) =>
      bundles.has(each),
    );
    const language = code ?? content.language ?? defaultCode;
    return isResource
      ? undefined
      : { language, names: isIndex ? names.slice(0, -1) : names, isSection: name === '_index' };
  };
}

/** The folder and those above it, down to the content's own. */
function listFolders(folder: string, last: string): string[] {
  const found: string[] = [];
  for (let at = folder; at !== last && isBelow(at, last) && at !== ''; at = folderOf(at)) found.push(at);
  return found;
}

/** `Sanitize` of https://github.com/gohugoio/hugo/blob/master/common/paths/path.go, in lower case. */
export const sanitize = (name: string): string =>
  name
    .replace(/[^\p{L}\p{M}\p{N}\s._\\#+~%/-]/gu, '')
    .trim()
    .split(/\s+/)
    .reduce((before, next) => before + (before.endsWith('-') || next.startsWith('-') ? '' : '-') + next)
    .toLowerCase();

interface AddressRules {
  /** In front of the addresses of a language; empty for the default one. */
  prefixOf(language: string): string;
  permalinks: Data | undefined;
}

/** The page's own address, and its aliases. https://gohugo.io/content-management/urls/ */
export function listHugoAddresses(place: ContentPlace, { frontMatter: { data } }: Page, rules: AddressRules): string[] {
  // By custom, folders like `_includes` hold parts of pages.
  if (place.names.some((name) => name.startsWith('_'))) return [];
  if (data.headless === true || !isRendered(data.build ?? data._build)) return [];
  const prefix = rules.prefixOf(place.language);
  const own = ownAddress(place, data, prefix, rules.permalinks);
  const aliases = [data.aliases].flat().filter((alias) => typeof alias === 'string');
  return [
    own,
    ...aliases.flatMap((alias) =>
      alias.startsWith('/')
        ? [toAddress(withoutIndex(alias)), toAddress(prefix, withoutIndex(alias))]
        : [toAddress(joinPath(folderOf(own), withoutIndex(alias)) ?? alias)],
    ),
  ];
}

const withoutIndex = (address: string) => address.replace(/(?:(^|\/)index)?\.html?$/, '$1');

const isRendered = (build: unknown): boolean =>
  !(typeof build === 'object' && build !== null && 'render' in build && /^(?:never|false)$/.test(String(build.render)));

function ownAddress(
  { names, isSection }: ContentPlace,
  data: Record<string, unknown>,
  prefix: string,
  permalinks: Data | undefined,
): string {
  const url = typeof data.url === 'string' && !data.url.includes(':') ? withoutIndex(data.url) : undefined;
  if (url !== undefined) return url.startsWith('/') ? toAddress(url) : toAddress(prefix, url);
  const pattern = isSection ? undefined : findPattern(permalinks, names[0] ?? '');
  const expanded = pattern === undefined ? undefined : expandPattern(pattern, names, data);
  if (expanded !== undefined) return toAddress(prefix, expanded);
  const slug = typeof data.slug === 'string' && !isSection ? data.slug : undefined;
  const last = slug === undefined || names.length === 0 ? names.slice(-1) : [slug];
  return toAddress(prefix, ...[...names.slice(0, -1), ...last].map(sanitize));
}

/** https://gohugo.io/configuration/permalinks/ */
export const findPattern = (permalinks: Data | undefined, section: string): string | undefined => {
  const folded = section.toLowerCase();
  if (!isMap(permalinks)) return undefined;
  return stringIn(permalinks[folded]) ?? (isMap(permalinks.page) ? stringIn(permalinks.page[folded]) : undefined);
};

/** Undefined where the pattern, or the date, is not known. */
function expandPattern(pattern: string, names: readonly string[], data: Record<string, unknown>): string | undefined {
  const name = names.at(-1) ?? '';
  const slug = typeof data.slug === 'string' ? data.slug : undefined;
  const title = typeof data.title === 'string' ? data.title : undefined;
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(String(data.date ?? '')) ?? [];
  const values: Record<string, string | undefined> = {
    year,
    month,
    day,
    title,
    section: names[0],
    sections: names.slice(0, -1).join('/'),
    slug: slug ?? title,
    filename: name,
    contentbasename: name,
    slugorfilename: slug ?? name,
    slugorcontentbasename: slug ?? name,
  };
  const parts = pattern.split('/').map((part) => {
    const [, token] = /^:(\w+)$/.exec(part) ?? [];
    if (token === undefined) return part.includes(':') ? undefined : part;
    const value = values[token];
    return value === undefined ? undefined : sanitize(value);
  });
  return parts.includes(undefined) ? undefined : parts.join('/');
}

/** Names by which shortcodes refer to a page: its path below the content, and its last name. */
export const listReferenceNames = ({ names }: ContentPlace): string[] => {
  const path = names.join('/').toLowerCase();
  return [`/${path}`, nameOf(path)];
};
