import { decodeAddress } from '../decode-address.ts';
import type { LinkForm } from '../pages/list-links.ts';
import { type FileTree, folderOf, isBelow, joinPath } from '../tree.ts';
import type { Site } from './open-sites.ts';

export type Resolution =
  /** Outside of the repository, or known only to a build. */
  | { kind: 'unchecked' }
  | { kind: 'page'; path: string; anchor: string }
  | { kind: 'file'; path: string }
  | { kind: 'generated' }
  | { kind: 'broken'; address: string; anchor: string };

const pageExtensions = ['', '.md', '.mdx', '.mdoc', '/index.md', '/index.mdx', '/README.md', '/page.mdx', '/page.md'];
const external = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;
/** Templates, routes with parameters, and variables. */
const template = /[{}$<>*|]|\/:|%7B/i;

export function resolveLink({
  tree,
  site,
  from,
  target,
  form,
}: {
  tree: FileTree;
  site: Site;
  from: string;
  target: string;
  form?: LinkForm;
}): Resolution {
  const written = target.trim();
  if (form === 'attribute' && !site.areAttributesChecked) return { kind: 'unchecked' };
  if (written === '' || external.test(written) || template.test(written)) return { kind: 'unchecked' };
  const [address = '', anchor = ''] = split(written);
  if (address === '') return { kind: 'page', path: from, anchor };
  const isAbsolute = address.startsWith('/');
  if (isAbsolute && !site.areAbsoluteLinksChecked) return { kind: 'unchecked' };

  if (!isAbsolute && site.isElsewhere?.(address, from)) return { kind: 'unchecked' };

  // A link with an extension names a file, even where the page's address makes another page of it.
  const namesFile = !isAbsolute && /\.mdx?$/.test(address);
  if (namesFile && site.relativeLinks === 'dotted-files' && !address.startsWith('.'))
    return { kind: 'broken', address, anchor };
  const isServed = site.relativeLinks === 'named-files' && !isAbsolute && !/\.\w+$/.test(address);
  const addresses = isAbsolute
    ? listAbsolute(site, address)
    : isServed
      ? listServed(site, from, address)
      : isByFile(site) || namesFile
        ? []
        : listRelative(site, from, address);
  for (const tried of addresses.flatMap((one) => site.alternatives?.(trim(one), from) ?? [one])) {
    const path = site.byAddress.get(trim(tried).toLowerCase());
    if (path !== undefined) return { kind: 'page', path, anchor };
  }
  const files = isAbsolute
    ? addresses.flatMap((each) => listRooted(site, from, each))
    : isServed
      ? []
      : listBeside(site, from, address);
  const candidates = [...files, ...files.flatMap((each) => site.otherFiles?.(each) ?? [])];
  const path = candidates.find((each) => tree.paths.has(each)) ?? candidates.find((each) => tree.hasFolder(each));
  if (path !== undefined) return site.pages.has(path) ? { kind: 'page', path, anchor } : { kind: 'file', path };
  if (addresses.some((tried) => site.isRedirected(tried))) return { kind: 'generated' };
  return { kind: 'broken', address, anchor };
}

function split(target: string): [address: string, anchor: string] {
  const hash = target.indexOf('#');
  const address = (hash < 0 ? target : target.slice(0, hash)).split('?', 1)[0] ?? '';
  return [decodeAddress(address), hash < 0 ? '' : target.slice(hash + 1)];
}

/** `/a/`, `/a/index` and `/a.html` are `/a`. */
const trim = (address: string): string => address.replace(/\.(?:html|mdx?)$/, '').replace(/\/(?:index)?$/, '') || '/';

/** Relative to the page's address, with and without a slash at its end. */
function listRelative(site: Site, from: string, address: string): string[] {
  const page = site.pages.get(from);
  const own = page ? site.addressesOf(from, page) : [];
  return own
    .flatMap((base) => [joinPath(base, address), joinPath(folderOf(base), address)])
    .flatMap((path) => (path === undefined ? [] : [`/${path}`]));
}

const isByFile = ({ relativeLinks }: Site) => relativeLinks === 'files' || relativeLinks === 'named-files';

/** As a browser follows it from the page's address, which ends with a slash. */
const listServed = (site: Site, from: string, address: string): string[] => {
  const page = site.pages.get(from);
  const own = page ? site.addressesOf(from, page) : [];
  return own.flatMap((base) => joinPath(base, address) ?? []).map((path) => `/${path}`);
};

/** With and without the base address of the site. */
const listAbsolute = ({ baseAddress }: Site, address: string): string[] =>
  baseAddress !== '' && isBelow(`${address}/`, baseAddress)
    ? [address.slice(baseAddress.length) || '/', address]
    : [address];

/** Of several versions, only the page's own; the nearest root first. */
function listOwnRoots({ linkRoots, root }: Site, from: string): string[] {
  const own = linkRoots.filter((each) => each === root || isBelow(from, each));
  return (own.some((each) => isBelow(from, each)) ? own : linkRoots).toSorted((a, b) => b.length - a.length);
}

const listRooted = (site: Site, from: string, address: string): string[] => [
  ...site.staticFolders.flatMap((folder) => joinPath(folder, address) ?? []),
  ...listOwnRoots(site, from).flatMap((folder) => withExtensions(joinPath(folder, address))),
];

const listBeside = (site: Site, from: string, address: string): string[] => [
  ...withExtensions(joinPath(folderOf(from), address)),
  ...(isByFile(site) ? [] : listOwnRoots(site, from).flatMap((folder) => withExtensions(joinPath(folder, address)))),
];

const withExtensions = (path: string | undefined): string[] =>
  path === undefined
    ? []
    : [
        ...pageExtensions.map((extension) => path + extension),
        ...(/\.html$/.test(path) ? [path.replace(/html$/, 'md')] : []),
      ];
