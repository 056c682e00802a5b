import { type FileTree, folderOf, isBelow, joinPath, nameOf } from '../../tree.ts';
import { toAddress } from '../addresses.ts';
import { containerAt, type DataFile, type EntryRules } from '../edits/data-files.ts';
import { isName, isPath, redirectRules } from '../edits/rules.ts';
import { type Framework, markedBy, words } from '../framework.ts';
import { siteRules } from '../plain.ts';
import type { SiteRules } from '../site-rules.ts';
import { readFernNavigation } from './fern-navigation.ts';

const mainOf = (root: string) => joinPath(root, 'docs.yml') ?? '';

/** https://buildwithfern.com/learn/docs/getting-started/project-structure */
function openFern(tree: FileTree, root: string): SiteRules {
  const main = mainOf(root);
  const { files, faults, entries, addresses, made, groups, redirects, prefixes } = readFernNavigation(tree, main);
  const base = findBase(tree.read(main) ?? '');
  return {
    ...siteRules(root),
    configurationFiles: [main],
    isMdx: () => true,
    addressesOf(path, { frontMatter: { data } }) {
      const listed = addresses.get(path) ?? [];
      if (typeof data.slug !== 'string' || listed.length === 0) return listed;
      const { slug } = data;
      const address = toAddress(slug);
      // The default version is shown without its name, too.
      const bare = prefixes.flatMap((prefix) => (isBelow(address, prefix) ? [address.slice(prefix.length)] : []));
      return [...new Set([address, ...bare, ...prefixes.map((prefix) => prefix + address)])];
    },
    baseAddress: base,
    needsBase: 'mixed',
    // Parts of pages are relative to the pages that show them.
    basesOf: (own) => [own, folderOf(own)],
    areSlugsLoose: true,
    isDynamic: (address) =>
      address === '/' || groups.has(address) || made.some((each) => address === each || isBelow(address, each)),
    navigation: entries,
    navigationFiles: files,
    navigationFile: entries[0]?.file,
    navigationFaults: faults,
    mustBeListed: (path) =>
      !addresses.has(path) &&
      !/(?:^|\/)(?:\.|_|snippets?|components?|partials?|includes?|assets|changelogs?|translations)/i.test(
        path.slice(root.length),
      ) &&
      !/^(?:readme|agents|claude)/i.test(nameOf(path)),
    redirects,
    redirectFiles: [main],
  };
}

/** The path that the domain is followed by. */
function findBase(text: string): string {
  const domain = /^[ \t-]*custom-domain:[ \t]*["']?([^\s"'#]+)/m.exec(text)?.[1];
  const url = domain ?? /^[ \t-]*url:[ \t]*["']?([^\s"'#]+)/m.exec(text)?.[1] ?? '';
  return toAddress(url.replace(/^https?:\/\//, '').replace(/^[^/]*/, '')).replace(/^\/$/, '');
}

/** https://buildwithfern.com/learn/docs/configuration/navigation */
const navigation: EntryRules = {
  keys: words(`
    tab layout section contents page path slug icon link href hidden collapsed title skip-slug availability subtitle
    description featured tag noindex display-name folder changelog variants default target`),
  texts: ['page', 'section', 'title', 'subtitle', 'description', 'display-name'],
  values: { icon: isName, path: isPath, folder: isPath, changelog: isPath },
};

const versionFile: DataFile = {
  format: 'yaml',
  what: 'its navigation and tabs',
  containers: [containerAt(navigation, 'navigation'), containerAt({ ...navigation, keys: 'any' }, 'tabs')],
};

export const fern: Framework = {
  name: 'Fern',
  markers: markedBy('fern.config.json'),
  sites: { open: (tree, root) => (tree.paths.has(mainOf(root)) ? [openFern(tree, root)] : []) },
  data: [
    {
      ...versionFile,
      path: /^docs\.ya?ml$/,
      what: 'its navigation, tabs and redirects',
      containers: [...versionFile.containers, containerAt(redirectRules, 'redirects')],
    },
    { ...versionFile, path: /^(?:versions|products)\/(?:[^/]+\/){0,3}[^/]+\.ya?ml$|^v\d[^/]*\.ya?ml$/ },
  ],
  keepsRedirects: true,
  dialect: {
    copiesFiles: true,
    isMdx: 'always',
    mdx: { headingIds: true },
    math: 'always',
    // https://buildwithfern.com/learn/docs/writing-content/components/overview
    components: words(`
      Accordion AccordionGroup Anchor Aside Badge Bleed Button ButtonGroup Callout Card CardGroup Cards Check Code CodeBlock
      CodeBlocks CodeGroup Copy Download EndpointRequestSnippet EndpointResponseSnippet EndpointSchemaSnippet Error Feature File
      Files Folder Frame HideIf ShowIf If Icon Indent Info Json Launch LaunchNote LlmsIgnore LlmsOnly Markdown Mermaid Note
      ParamField Product Products Prompt PropertyRef ReferenceLayoutAside RunnableEndpoint Schema SchemaSnippet Step Steps
      StepGroup StickyTable Success Tab TabGroup Table Tabs Template Tip Tooltip Trigger Version Versions Warning WebhookPayloadSnippet`),
    passesAttributes: true,
  },
  redirectForms: [
    {
      file: /^docs\.ya?ml$/,
      write: (from, to) => `redirects:\n  - source: ${from.address}\n    destination: ${to.address}`,
    },
  ],
};
