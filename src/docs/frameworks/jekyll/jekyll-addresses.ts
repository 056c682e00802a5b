import type { Data } from '../../formats/data.ts';
import { itemsOf, stringIn, valueAt } from '../../formats/settings.ts';
import { folderOf, isBelow, nameOf } from '../../tree.ts';
import { withoutExtension } from '../addresses.ts';

/** Of a file below the source folder. */
export interface JekyllPath {
  below: string;
  /** `posts`, or another collection whose pages are published. */
  collection: string | undefined;
  /** The path below the folder of the collection, or the same. */
  inner: string;
}

/** https://jekyllrb.com/docs/permalinks/#built-in-formats */
const styles: Record<string, string> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  weekdate: '/:categories/:year/W:week/:short_day/:title:output_ext',
  none: '/:categories/:title:output_ext',
};

/** The address as it is written: with a slash or `.html` at its end. Undefined where its pattern is not known. */
export function writeAddress(
  path: JekyllPath,
  data: Readonly<Record<string, unknown>>,
  settings: Data | undefined,
): string | undefined {
  const own = typeof data.permalink === 'string' ? data.permalink : findDefault(path, settings);
  const general = stringIn(valueAt(settings, 'permalink')) ?? 'date';
  const template = own ?? findTemplate(path, general, settings);
  return expand(styles[template] ?? template, path, data);
}

/** https://jekyllrb.com/docs/configuration/front-matter-defaults/ */
function findDefault({ below, collection }: JekyllPath, settings: Data | undefined): string | undefined {
  const type = collection ?? 'pages';
  const found = itemsOf(valueAt(settings, 'defaults')).filter((each) => {
    const scope = (stringIn(valueAt(each, 'scope', 'path')) ?? '').replace(/^\/|\/$/g, '');
    const of = stringIn(valueAt(each, 'scope', 'type'));
    const isOf = of === undefined || of === type || `${of}s` === type;
    return isOf && (scope === below || isBelow(below, scope)) && valueAt(each, 'values', 'permalink') !== undefined;
  });
  const last = found.at(-1);
  return last === undefined ? undefined : stringIn(valueAt(last, 'values', 'permalink'));
}

function findTemplate({ below, collection }: JekyllPath, general: string, settings: Data | undefined): string {
  const named = collection && stringIn(valueAt(settings, 'collections', collection, 'permalink'));
  if (named !== undefined && named !== '') return named;
  if (collection === 'posts') return general;
  const ending = general === 'pretty' || general.endsWith('/') ? '/' : ':output_ext';
  if (collection !== undefined) return `/:collection/:path${ending}`;
  return /^index$/i.test(nameOf(withoutExtension(below))) ? '/:path/' : `/:path/:basename${ending}`;
}

function expand(
  template: string,
  { below, collection, inner }: JekyllPath,
  data: Readonly<Record<string, unknown>>,
): string | undefined {
  const stem = nameOf(withoutExtension(inner));
  const [, date = String(data.date ?? ''), name = stem] = /^(\d{4}-\d{1,2}-\d{1,2})-(.*)$/.exec(stem) ?? [];
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(date) ?? [];
  const title = typeof data.slug === 'string' ? data.slug : name;
  const categories = [data.categories ?? data.category]
    .flat()
    .flatMap((one) => (typeof one === 'string' ? one.split(' ') : []));
  const values: Record<string, string | undefined> = {
    path: collection === undefined ? folderOf(below) : withoutExtension(inner),
    basename: stem,
    name: stem,
    title: collection === 'posts' ? title : collection === undefined ? undefined : title,
    slug: title,
    collection,
    categories: [
      ...folderOf(below)
        .split('/')
        .filter((each) => !each.startsWith('_')),
      ...categories,
    ]
      .map(slugify)
      .join('/'),
    year,
    month: month?.padStart(2, '0'),
    day: day?.padStart(2, '0'),
    output_ext: '.html',
  };
  let isKnown = true;
  const written = template.replace(/:([a-z_]+)/g, (_, token: string) => {
    const value = values[token];
    isKnown &&= value !== undefined;
    return value ?? '';
  });
  return isKnown ? written.replace(/\/{2,}/g, '/') : undefined;
}

const slugify = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '-');
