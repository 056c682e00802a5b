import { docusaurus } from '../frameworks/docusaurus.ts';
import { gitbook } from '../frameworks/gitbook.ts';
import { mintlify } from '../frameworks/mintlify.ts';
import { mkdocs } from '../frameworks/mkdocs.ts';
import { fumadocs, nextra } from '../frameworks/next.ts';
import { plain } from '../frameworks/plain.ts';
import { starlight } from '../frameworks/starlight.ts';
import { vitepress } from '../frameworks/vitepress.ts';
import type { ReadText } from '../pages/page-reader.ts';
import { type Page, readPage } from '../pages/read-page.ts';
import { type FileTree, isBelow } from '../tree.ts';
import type { Framework, SiteRules } from './framework.ts';

const frameworks: readonly Framework[] = [
  mintlify,
  docusaurus,
  vitepress,
  mkdocs,
  starlight,
  fumadocs,
  nextra,
  gitbook,
];

export interface Site extends SiteRules {
  framework: string;
  pages: ReadonlyMap<string, Page>;
  /** In lower case: many hosts do not tell the case apart. */
  byAddress: ReadonlyMap<string, string>;
}

/** Reads a repository's documentation sites. Each page belongs to the site with the nearest root; without one, to the plain site. */
export function openSites(tree: FileTree, readText: ReadText = readPage): Site[] {
  const opened = frameworks.flatMap((framework) =>
    framework.findRoots(tree).map((root) => ({ framework: framework.name, rules: framework.open(tree, root) })),
  );
  const nearestFirst = [
    ...opened.toSorted((a, b) => b.rules.root.length - a.rules.root.length),
    { framework: plain.name, rules: plain.open(tree, '') },
  ];
  const sites = nearestFirst.map(({ framework, rules }) => ({
    ...rules,
    framework,
    pages: new Map<string, Page>(),
    byAddress: new Map<string, string>(),
  }));
  for (const path of tree.paths) {
    const site = sites.find(({ folders, isPage }) => folders.some((folder) => isBelow(path, folder)) && isPage(path));
    const text = site && tree.read(path);
    if (!site || text === undefined) continue;
    const page = readText(text, { isMdx: site.isMdx(path) });
    site.pages.set(path, page);
    for (const address of site.addressesOf(path, page)) site.byAddress.set(address.toLowerCase(), path);
  }
  return sites;
}
