import { decodeAddress } from '../decode-address.ts';
import { plain } from '../frameworks/plain.ts';
import type { LinkMeaning } from '../frameworks/site-rules.ts';
import type { LinkForm } from '../pages/list-links.ts';
import { type FileTree, folderOf, isBelow, joinPath } from '../tree.ts';
import { isGithubRoute } from './github-routes.ts';
import type { Site } from './open-sites.ts';
import { builtFiles } from './redirect-test.ts';

export type Resolution =
  /** Outside of the repository, or known only to a build. */
  | { kind: 'unchecked' }
  | { kind: 'page'; path: string; anchor: string }
  | { kind: 'file'; path: string }
  | { kind: 'generated' }
  /** `isOpen`: perhaps something that is not in the repository answers. */
  | { kind: 'broken'; address: string; anchor: string; isOpen?: boolean };

const pageExtensions = ['', '.md', '.mdx', '.mdoc', '/index.md', '/index.mdx', '/README.md', '/page.mdx', '/page.md'];
const external = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;
/** Templates, routes with parameters, and variables. */
const template = /[{}$<>*|]|\/:|%7B/i;

export function resolveLink(options: {
  tree: FileTree;
  site: Site;
  from: string;
  target: string;
  form?: LinkForm;
  /** The framework leaves it to the browser. */
  isRaw?: boolean | undefined;
}): Resolution {
  const { tree, site, from, target, form, isRaw = false } = options;
  const written = target.trim();
  if (form === 'attribute' && !site.areAttributesChecked) return { kind: 'unchecked' };
  if (!isRaw && site.refuses?.(written, from)) return { kind: 'broken', address: written, anchor: '' };
  if (written === '' || template.test(written)) return { kind: 'unchecked' };
  const meaning = site.findMeaning?.({ target: written, form, from });
  if (meaning !== undefined) return followMeaning(tree, site, meaning, written);
  // A folder of the own computer, what editors for agents write, and addresses on the web with a character too much or too little.
  if (/^(?:(?:file|mdc):|[(@]https?:\/\/|https?:\/?(?!\/)|(?!https?:|ssh:)[htps]{3,8}:\/\/)/i.test(written))
    return { kind: 'broken', address: written, anchor: '' };
  if (external.test(written)) return { kind: 'unchecked' };
  if (form === 'reference') return { kind: 'unchecked' };
  const [address = '', anchor = ''] = split(written);
  if (address === '') return { kind: 'page', path: from, anchor };
  // Nothing is below a page, and no host takes the slash away.
  if (/\.mdx?\/$/.test(address)) return { kind: 'broken', address, anchor };
  const isAbsolute = address.startsWith('/');
  if (form === 'attribute' && isAbsolute && site.areAttributesAddresses && /\.mdx?$/.test(address))
    return { kind: 'broken', address, anchor };
  if (isAbsolute && !site.areAbsoluteLinksChecked && !isFrontPage(site, from)) return { kind: 'unchecked' };

  const alias = Object.entries(site.aliases ?? {}).find(([prefix]) => address.startsWith(prefix));
  if (alias)
    return findFile(tree, site, withExtensions(joinPath(alias[1], address.slice(alias[0].length))), {
      address,
      anchor,
    });
  // A part of other pages is relative to these.
  const isAddress = site.basesOf !== undefined || (site.relativeLinks === 'both' && !/\.\w+$/.test(address));
  if (!isAbsolute && isAddress && site.isPart(from)) return { kind: 'unchecked' };
  if (bundlerAlias.test(address) && !isByFile(site)) return { kind: 'unchecked' };
  if (!isAbsolute && (isGithubRoute(site, from, address) || site.isElsewhere?.(address, from)))
    return { kind: 'unchecked' };
  if (isAbsolute && isBesideSite(site, address, from)) return { kind: 'unchecked' };

  // A link with an extension names a file, even where the page's address makes another page of it.
  const namesFile = !isAbsolute && /\.mdx?$/.test(address);
  if (namesFile && site.relativeLinks === 'dotted-files' && !address.startsWith('.'))
    return { kind: 'broken', address, anchor };
  const isServed =
    site.relativeLinks === 'named-files' &&
    !isAbsolute &&
    (site.basesOf !== undefined || !/\.\w+$/.test(address)) &&
    !namesFile;
  const addresses = isAbsolute
    ? listAbsolute(site, address)
    : isServed
      ? listServed(site, from, address)
      : isByFile(site) || namesFile
        ? []
        : listRelative(site, from, address);
  const isAnswer = (path: string) => !site.pages.has(path) || site.answers?.(path, address, isRaw) !== false;
  for (const tried of addresses.flatMap((one) => site.alternatives?.(trim(one), from) ?? [one])) {
    const path = site.byAddress.get(trim(tried).toLowerCase());
    if (path !== undefined && isAnswer(path) && site.exactAddresses?.has(trim(tried)) !== false)
      return { kind: 'page', path, anchor };
  }
  const isPageOnly = !isRaw && site.isFile?.(address) === false;
  const files = isPageOnly
    ? []
    : isAbsolute
      ? addresses.flatMap((each) => listRooted(site, from, each))
      : isServed
        ? addresses.flatMap((each) => listStatic(site, each))
        : [
            ...listBeside(site, from, address),
            ...(site.basesOf === undefined ? [] : addresses.flatMap((each) => listStatic(site, each))),
          ];
  if (addresses.some((tried) => site.isRedirected(tried))) return { kind: 'generated' };
  return findFile(tree, site, files, {
    address,
    anchor,
    isAnswer,
    listOthers: () => files.flatMap((each) => site.otherFiles?.(each) ?? []),
    listAnswered: () => addresses.flatMap((tried) => site.alternatives?.(trim(tried), from) ?? [tried]),
  });
}

export function followMeaning(
  tree: FileTree,
  site: Site,
  { paths = [], anchor = '', label, isOpen = false }: LinkMeaning,
  written: string,
): Resolution {
  if (paths.length === 0 && label === undefined) return { kind: 'unchecked' };
  const path = paths.find((each) => tree.paths.has(each));
  if (path !== undefined) return site.pages.has(path) ? { kind: 'page', path, anchor } : { kind: 'file', path };
  const labelled = label === undefined ? undefined : site.byLabel.get(label);
  if (labelled !== undefined) return { kind: 'page', path: labelled, anchor: label ?? '' };
  if (paths.some((each) => site.isMade(each))) return { kind: 'generated' };
  return { kind: 'broken', address: label ?? written, anchor, isOpen };
}

/** The first file that exists, or that a build may make. A folder is an address only where links lead to files. */
function findFile(
  tree: FileTree,
  site: Site,
  own: readonly string[],
  options: {
    address: string;
    anchor: string;
    isAnswer?(path: string): boolean;
    listOthers?(): string[];
    listAnswered?(): string[];
  },
): Resolution {
  const { address, anchor, isAnswer = () => true, listOthers = () => [], listAnswered = () => [] } = options;
  const toFound = (path: string): Resolution =>
    site.pages.has(path) ? { kind: 'page', path, anchor } : { kind: 'file', path };
  const isThere = (path: string) => tree.paths.has(path) && isAnswer(path);
  const found = own.find(isThere);
  // Most links end here: the rest is for those that may be broken.
  if (found !== undefined) return toFound(found);
  const candidates = [...own, ...listOthers()].filter(isAnswer);
  const path =
    candidates.find(isThere) ??
    (site.relativeLinks === 'files' ? candidates.find((each) => tree.hasFolder(each)) : undefined);
  if (path !== undefined) return toFound(path);
  const files = listAnswered().flatMap((each) =>
    site.folders.flatMap((folder) => withExtensions(joinPath(folder, each))),
  );
  const isMade = [...candidates, ...files].some((each) => site.isMade(each));
  return isMade || builtFiles.test(address) ? { kind: 'generated' } : { kind: 'broken', address, anchor };
}

/** Bundlers and `tsconfig.json` know more prefixes of paths. */
const bundlerAlias = /^[@~#][\w-]*\//;

/** Outside of the base address, another site of the same host may answer; a page of this one would need the base address. */
const isBesideSite = (site: Site, address: string, from: string): boolean =>
  site.needsBase !== undefined &&
  site.baseAddress !== '' &&
  !isBelow(`${address}/`, site.baseAddress) &&
  (trim(address) === '/' ||
    !(site.alternatives?.(trim(address), from) ?? [trim(address)]).some((tried) =>
      site.byAddress.has(tried.toLowerCase()),
    ));

/** GitHub takes its absolute links from the root of the repository. Other pages may be shown elsewhere. */
const isFrontPage = (site: Site, from: string): boolean => site.framework === plain && /^readme\.md$/i.test(from);

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
    .flatMap((base) => site.basesOf?.(base, from) ?? [base, folderOf(base)])
    .map((base) => joinPath(base, address))
    .flatMap((path) => (path === undefined ? [] : [`/${path}`]));
}

const isByFile = ({ relativeLinks }: Site) => relativeLinks === 'files' || relativeLinks === 'named-files';

/** As a browser follows it from the page's address, which ends with a slash. */
const listServed = (site: Site, from: string, address: string): string[] => {
  const page = site.pages.get(from);
  const own = page ? site.addressesOf(from, page) : [];
  return own
    .flatMap((base) => site.basesOf?.(base, from) ?? base)
    .flatMap((base) => joinPath(base, address) ?? [])
    .map((path) => `/${path}`);
};

/** With and without the base address of the site. */
function listAbsolute({ baseAddress, needsBase }: Site, address: string): string[] {
  const isBelowBase = baseAddress !== '' && isBelow(`${address}/`, baseAddress);
  if (needsBase === true && baseAddress !== '') return isBelowBase ? [address.slice(baseAddress.length) || '/'] : [];
  return isBelowBase ? [address.slice(baseAddress.length) || '/', address] : [address];
}

const listRooted = (site: Site, from: string, address: string): string[] => [
  ...listStatic(site, address),
  ...site.rootsFor(from).flatMap((folder) => joinPath(folder, address) ?? []),
];

const listStatic = ({ staticFolders }: Site, address: string): string[] =>
  staticFolders.flatMap((folder) => withPages(joinPath(folder, address)));

const listBeside = (site: Site, from: string, address: string): string[] => [
  ...withExtensions(joinPath(folderOf(from), address)),
  ...(isByFile(site) || /^\.{1,2}\//.test(address) || site.areLinksOfFolder
    ? []
    : site.rootsFor(from).flatMap((folder) => withExtensions(joinPath(folder, address)))),
];

/** Hosts answer with HTML files as with pages. */
const withPages = (path: string | undefined): string[] =>
  path === undefined ? [] : [path, `${path}.html`, `${path}/index.html`];

const withExtensions = (path: string | undefined): string[] =>
  path === undefined
    ? []
    : [
        ...pageExtensions.map((extension) => path + extension),
        ...(/\.html$/.test(path) ? [path.replace(/html$/, 'md')] : []),
      ];
