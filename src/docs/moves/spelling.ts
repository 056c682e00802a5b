import type { Reading } from '../reading.ts';
import type { Site } from '../sites/open-sites.ts';
import { isBelow } from '../tree.ts';

/** The place of a reference, and the file that it has to lead to. */
export interface Wish {
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

export const extension = /\.(?:mdx?|mdoc|markdown|html|rst|adoc|qmd|rmd)$/i;

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
