import { findNearest } from '../../find-nearest-name.ts';
import { decodeAddress } from '../decode-address.ts';
import type { Documentation } from '../documentation.ts';
import type { Language } from '../frameworks/site-rules.ts';
import type { Reading } from '../reading.ts';
import { createAnchorTest } from '../sites/anchors.ts';
import { folderOf, isBelow, joinPath, nameOf } from '../tree.ts';
import { createSiteLookup, listReferences, type ReferenceKind, type WantedPaths } from './list-references.ts';

/** Of one file. */
export interface FoundReferences {
  file: string;
  language: string;
  places: { line: number; start: number; kind: ReferenceKind; written: string }[];
}

export type References =
  | { kind: 'unknown'; nearest: string | undefined }
  | {
      kind: 'found';
      /** The file or folder that was meant; `isGone`: the change has removed it. */
      path: string;
      isGone: boolean;
      addresses: string[];
      anchor: string;
      /** Set if the page does not have the anchor. */
      lostAnchor: { nearest: string | undefined } | undefined;
      /** In order of language and path. */
      files: FoundReferences[];
      /** The same page in other languages. */
      translations: string[];
      /** Folders that a translation service writes. */
      generated: string[];
    };

/** A question: what leads to a page, file, folder, address or anchor. A file that the change removed is found by its old place. */
export function findReferences({ base, head }: Documentation, { target }: { target: string }): References {
  const hash = target.indexOf('#');
  const anchor = hash < 0 ? '' : decodeAddress(target.slice(hash + 1));
  const name = (hash < 0 ? target : target.slice(0, hash))
    .trim()
    .replace(/^\.\//, '')
    .replace(/(?<=.)\/$/, '');
  const here = findTarget(head, name);
  const path = here ?? findTarget(base, name);
  if (path === undefined) return { kind: 'unknown', nearest: findSimilar(head, name) };
  const places = here === undefined ? base : head;
  const references = listReferences(head, listWanted(places, path), places).filter(
    (reference) => anchor === '' || sameAnchor(reference.anchor, anchor),
  );
  const languageOf = createLanguageLookup(head);
  const files = [...Map.groupBy(references, ({ file }) => file)]
    .map(([file, found]) => ({
      file,
      language: languageOf(file)?.code ?? '',
      places: found
        .map(({ line, start, kind, written }) => ({ line, start, kind, written }))
        .toSorted((a, b) => a.start - b.start),
    }))
    .toSorted((a, b) => compare(a.language, b.language) || compare(a.file, b.file));
  return {
    kind: 'found',
    path,
    isGone: here === undefined,
    addresses: listAddresses(places, path),
    anchor,
    lostAnchor: findLostAnchor(places, path, anchor),
    files,
    translations: listTranslations(places, path),
    generated: listGenerated(head),
  };
}

function findLostAnchor(reading: Reading, path: string, anchor: string) {
  const site = createSiteLookup(reading)(path);
  const anchors = site && createAnchorTest(reading.tree, site);
  if (anchor === '' || anchors === undefined || anchors.has(path, anchor)) return undefined;
  return { nearest: findNearest(anchor, anchors.list(path)) };
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const sameAnchor = (a: string, b: string) => decodeAddress(a).toLowerCase() === b.toLowerCase();

function findTarget({ tree, sites }: Reading, name: string): string | undefined {
  const path = joinPath('', name);
  if (path !== undefined && path !== '' && tree.paths.has(path)) return path;
  const address = `/${name}`
    .replace(/\/+/g, '/')
    .replace(/\.(?:html|mdx?)$/, '')
    .replace(/\/(?:index)?$/, '');
  for (const { byAddress } of sites) {
    const page = byAddress.get(decodeAddress(address).toLowerCase() || '/');
    if (page !== undefined) return page;
  }
  for (const { staticFolders, linkRoots } of sites) {
    for (const folder of [...staticFolders, ...linkRoots]) {
      const file = joinPath(folder, name);
      if (file !== undefined && tree.paths.has(file)) return file;
    }
  }
  if (path === undefined || path === '') return undefined;
  const page = ['.md', '.mdx'].map((extension) => path + extension).find((each) => tree.paths.has(each));
  return page ?? (tree.hasFolder(path) ? path : undefined);
}

export function listWanted(reading: Reading, path: string): WantedPaths {
  const addresses = listAddresses(reading, path);
  const names = [path, ...addresses].flatMap((one) => {
    const last = nameOf(one).replace(/\.\w+$/, '');
    // `guides/index.md` is mentioned as `guides`.
    return /^(?:index|readme|page)$/i.test(last) ? [nameOf(folderOf(one))] : [last];
  });
  return {
    has: (other) => other === path || (!reading.tree.paths.has(path) && isBelow(other, path)),
    // The start page is mentioned by a slash.
    names: [...new Set(names.flatMap((name) => (name === '' ? ['/', 'index'] : [name])))],
  };
}

export const listAddresses = ({ sites }: Reading, path: string): string[] =>
  sites.flatMap((site) => {
    const page = site.pages.get(path);
    return page === undefined ? [] : [...new Set(site.addressesOf(path, page))];
  });

function findSimilar({ tree, sites }: Reading, name: string): string | undefined {
  return name.startsWith('/')
    ? findNearest(
        name,
        sites.flatMap(({ byAddress }) => [...byAddress.keys()]),
      )
    : findNearest(name, tree.paths);
}

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
