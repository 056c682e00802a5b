import { parseJsonTree } from '../formats/json.ts';
import { readToml } from '../formats/toml.ts';
import { findYamlFault, readYaml } from '../formats/yaml.ts';
import { plain } from '../frameworks/plain.ts';
import { isMarkdown } from '../page-extensions.ts';
import type { FoundProblem } from '../problem.ts';
import type { SiteChanges } from '../sites/compare-sites.ts';
import type { Site } from '../sites/open-sites.ts';
import { type FileTree, folderOf, isBelow, joinPath } from '../tree.ts';
import { findLinkProblems } from './find-link-problems.ts';
import { findNavigationProblems, findUnlistedPages, unreadable } from './find-navigation-problems.ts';
import { findFrontMatterProblems, findWordlessImages } from './find-page-problems.ts';
import { findRedirectProblems } from './find-redirect-problems.ts';
import type { SiteProblems } from './site-problems.ts';

/** What another state of the same sites has. */
interface Known extends SiteChanges {
  found: readonly SiteProblems[];
}

export function findProblems(
  { tree, sites }: { tree: FileTree; sites: readonly Site[] },
  known?: Known | undefined,
): SiteProblems[] {
  const settled =
    known === undefined || known.names ? findSettled(tree, sites) : known.found.map((each) => each.settled);
  const shown = listShown(sites);
  return sites.map((site, index) => {
    const before = known?.found[index]?.links;
    const links = findLinkProblems(tree, site, before && known && { links: before, ...known });
    const images = findWordlessImages(site);
    const own = settled[index] ?? [];
    // The links of a SUMMARY.md are entries, too.
    const entries = new Set(own.filter(({ kind }) => kind === 'navigation').map(placeOf));
    const isElsewhere = ({ file }: FoundProblem) => site.framework === plain && shown.has(file);
    const problems = [
      ...findFrontMatterProblems(site),
      ...links.problems.filter((link) => !entries.has(placeOf(link)) && !isElsewhere(link)),
      ...images.problems,
      ...findLocalLinks(tree, site),
      ...own,
      ...findUnlistedPages(tree, site, links.findings.pages),
      ...findSharedAddresses(site),
    ];
    const targets = { ...links.targets, 'alt-text': images.targets };
    return { site, problems, settled: own, links: links.findings, checked: links.checked, targets };
  });
}

function findSettled(tree: FileTree, sites: readonly Site[]): FoundProblem[][] {
  const redirects = findSharedProblems(sites, (site) => findRedirectProblems(tree, site));
  return sites.map((site) => [
    ...findNavigationProblems(tree, site),
    ...findConfigurationFaults(tree, site),
    ...(redirects.get(site) ?? []),
  ]);
}

/** Files outside of the sites whose text their pages include, such as a changelog: links are relative to these pages, or rewritten. */
const listShown = (sites: readonly Site[]): ReadonlySet<string> =>
  new Set(
    sites
      .filter(({ framework }) => framework !== plain)
      .flatMap(({ pages }) =>
        Array.from(pages, ([path, { parts }]) =>
          parts
            .filter(({ kind, target }) => kind === 'include' && isMarkdown(target))
            .flatMap(({ target }) => [joinPath(folderOf(path), target) ?? [], joinPath('', target) ?? []].flat()),
        ).flat(),
      ),
  );

const placeOf = ({ file, line, target }: FoundProblem) => `${file}:${line} ${target}`;

/** Sites may share a host's file: only a problem for all of them counts, once. */
function findSharedProblems(sites: readonly Site[], find: (site: Site) => FoundProblem[]): Map<Site, FoundProblem[]> {
  const found = sites.flatMap((site) => find(site).map((problem) => ({ site, problem })));
  const groups = Map.groupBy(found, ({ problem }) => placeOf(problem));
  const kept = [...groups.values()].flatMap(([first, ...others]) => {
    const count = sites.filter(({ redirects }) => redirects.some(({ file }) => file === first?.problem.file)).length;
    return first && others.length + 1 >= count ? [first] : [];
  });
  const bySite = Map.groupBy(kept, ({ site }) => site);
  return new Map([...bySite].map(([site, of]) => [site, of.map(({ problem }) => problem)]));
}

/** A README beside an index is for readers of the repository. */
const isReadme = (path: string) => /(?:^|\/)readme\.\w+$/i.test(path);

/** Pages whose address another page has already. Drafts are not built. */
function findSharedAddresses(site: Site): FoundProblem[] {
  if (!site.framework.hasExactAddresses) return [];
  const first = new Map<string, string>();
  const problems: FoundProblem[] = [];
  for (const [file, page] of site.pages) {
    const [address] = page.frontMatter.data.draft === true ? [] : site.addressesOf(file, page);
    if (address === undefined) continue;
    const other = first.get(address);
    if (other === undefined) first.set(address, file);
    else if (!isReadme(file) && !isReadme(other)) {
      const describe = () => `${other} has the same address ${address}, so readers see only one of these pages`;
      problems.push({ file, line: 1, kind: 'address', severity: 'must', target: address, describe });
    }
  }
  return problems;
}

/** Beside pages: https://docusaurus.io/docs/sidebar/autogenerated#category-item-metadata, https://fumadocs.dev/docs/page-conventions */
const beside = /(?:^|\/)(?:_category_\.(?:json|ya?ml)|meta(?:\.[\w-]+)?\.json|_meta\.json)$/;

/** Configuration data of a site that cannot be read. Code is not checked. */
function findConfigurationFaults(tree: FileTree, site: Site): FoundProblem[] {
  const reported = new Set(site.navigationFaults.map(({ file }) => file));
  const named = [...site.configurationFiles, ...site.navigationFiles, ...site.redirectFiles];
  const others = [...tree.paths].filter(
    (path) => beside.test(path) && site.folders.some((folder) => isBelow(path, folder)),
  );
  const files = new Set([...named, ...(site.framework.sites ? others : [])]);
  return [...files].flatMap((file) => {
    const text = reported.has(file) ? undefined : tree.read(file);
    const fault = text === undefined ? undefined : readFault(file, text);
    if (fault === undefined) return [];
    const { line, message } = fault;
    return [{ file, line, kind: 'navigation', severity: 'must', target: unreadable, describe: () => message }];
  });
}

/** Some hosts allow comments in their JSON. */
const isLenient = (file: string) => /(?:^|\/)(?:vercel|netlify)\.json$/.test(file);

function readFault(file: string, text: string): { line: number; message: string } | undefined {
  if (file.endsWith('.json')) return parseJsonTree(text, { isLenient: isLenient(file) }).fault;
  if (/\.ya?ml$/.test(file)) return findYamlFault(readYaml(text));
  return file.endsWith('.toml') ? readToml(text).fault : undefined;
}

/** A page of an own server: tutorials name its root. */
const local = /^https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d{1,5})?(\/[^/?#][^?#]*)/i;
const maxText = 200;

/** Links to a page of this site on the server that its writer ran. Other links to the own computer belong to tutorials. */
function findLocalLinks(tree: FileTree, site: Site): FoundProblem[] {
  if (site.framework.sites === undefined) return [];
  return [...site.pages].flatMap(([file, { links, lineOf }]) =>
    links.flatMap(({ target, start, form }): FoundProblem[] => {
      const address = target.startsWith('http') ? local.exec(target)?.[1] : undefined;
      if (address === undefined || form === 'autolink' || site.refuses?.(target, file)) return [];
      const page = findPage(site, address);
      if (page === undefined || namesServer(tree.read(file) ?? '', start)) return [];
      const describe = () =>
        `link ${target} leads to the computer of its reader. ${page} is a page of this site: ${address}`;
      return [{ file, line: lineOf(start), kind: 'localhost', severity: 'should', target, describe }];
    }),
  );
}

function findPage({ byAddress, baseAddress }: Site, address: string): string | undefined {
  const plain = address.toLowerCase().replace(/\/$|\.html$/, '');
  return (
    byAddress.get(plain) ??
    (plain.startsWith(`${baseAddress}/`) ? byAddress.get(plain.slice(baseAddress.length)) : undefined)
  );
}

/** The link's text says where it leads. */
const namesServer = (text: string, start: number): boolean =>
  /localhost|\d\.\d|::1/i.test(
    text
      .slice(Math.max(0, start - maxText), start)
      .split('\n')
      .at(-1)
      ?.split('[')
      .at(-1) ?? '',
  );
