import { createIgnoreTest } from '../../formats/ignore-patterns.ts';
import { isMarkdown } from '../../page-extensions.ts';
import { type FileTree, isBelow, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress, withoutExtension } from '../addresses.ts';
import { containerAt, type DataFile, type EntryRules } from '../edits/data-files.ts';
import { navigationRules, redirectRules } from '../edits/rules.ts';
import { type Framework, type Marker, words } from '../framework.ts';
import { findLanguageFolders, listLanguages } from '../languages.ts';
import { siteRules } from '../plain.ts';
import type { SiteRules } from '../site-rules.ts';
import { readMintlifyConfiguration } from './mintlify-configuration.ts';

const hasNavigation = /"navigation"\s*:/;
const markers: readonly Marker[] = ['docs.json', 'mint.json'].map((path) => ({ path, contains: hasNavigation }));

/** Files that `$ref` names hold navigation or redirects. */
const referenced: EntryRules = {
  keys: [...navigationRules.keys, ...redirectRules.keys],
  texts: [...navigationRules.texts, ...redirectRules.texts],
  values: { ...navigationRules.values, ...redirectRules.values },
};

const configuration: DataFile = {
  path: /^(?:docs|mint)\.json$/,
  format: 'json',
  what: 'its navigation and redirects',
  containers: [
    ...['navigation', 'tabs', 'anchors', 'versions'].map((key) => containerAt(navigationRules, key)),
    containerAt(redirectRules, 'redirects'),
  ],
};

/** https://www.mintlify.com/docs/organize/settings */
export const mintlify: Framework = {
  name: 'Mintlify',
  hasExactAddresses: true,
  markers,
  sites: { open: (tree, root) => [openMintlify(tree, root)] },
  data: [configuration],
  // https://www.mintlify.com/docs/organize/settings#$ref
  configurationParts: {
    list: (text) => Array.from(text.matchAll(/"\$ref"\s*:\s*"([^"\\]+\.json)"/g), ([, file = '']) => file),
    file: { format: 'json', what: 'its entries', containers: [containerAt(referenced)] },
  },
  dialect: {
    copiesFiles: true,
    isMdx: 'always',
    // https://www.mintlify.com/docs/create/code
    titlesCode: true,
    // https://www.mintlify.com/docs/create/text#latex
    math: 'always',
    // https://www.mintlify.com/docs/organize/settings-structure#variables
    mdx: { headingIds: true, variables: true },
    // https://www.mintlify.com/docs/components
    components: words(`
      Accordion AccordionGroup Badge Banner Callout Card CardGroup Check CodeBlock CodeGroup Color Column Columns Danger
      Expandable FileTree Frame GitHub Icon Info Latex Mermaid Note Panel Param ParamField Popup PreviewButton Prompt
      RequestExample RequestField ResponseExample ResponseField Snippet Step Steps Tab Tabs Terminal Tile Tiles Tip
      Tooltip Tree Update Variation Video View Visibility Warning`),
    names: ['user', 'page'],
    passesAttributes: true,
  },
  keepsRedirects: true,
  redirectForms: [
    {
      file: /^(?:docs|mint)\.json$/,
      write: (from, to) => `"redirects": [{ "source": "${from.address}", "destination": "${to.address}" }]`,
    },
    {
      file: /\.json$/,
      write: (from, to) => `{ "source": "${from.address}", "destination": "${to.address}" }`,
    },
  ],
};

const names = ['docs.json', 'mint.json'];
/** https://www.mintlify.com/docs/organize/mintignore */
const ignoredFiles = /^(?:README|LICENSE|CHANGELOG|CONTRIBUTING|AGENTS|CLAUDE)\.mdx?$/;

function openMintlify(tree: FileTree, root: string): SiteRules {
  const file = findConfiguration(tree, root) ?? '';
  const read = readMintlifyConfiguration(tree, root, file);
  const isIgnored = createIgnoreTest(tree.read(joinPath(root, '.mintignore') ?? ''));
  const isPart = (path: string) => /^snippets\/|(?:^|\/)_/.test(relativeTo(path, root));
  return {
    ...siteRules(root),
    configurationFiles: read.files,
    isPage(path) {
      const below = relativeTo(path, root);
      const isHidden = /(?:^|\/)\./.test(below) || ignoredFiles.test(nameOf(path));
      return isMarkdown(path) && isBelow(path, root) && !isHidden && !isIgnored(below);
    },
    isMdx: () => true,
    addressesOf: (path) =>
      isPart(path) ? [] : [toAddress(withoutExtension(relativeTo(path, root)).replace(/(^|\/)index$/, '$1'))],
    // The repository does not say where the site is hosted; `/docs` is usual.
    baseAddress: tree.hasFolder(joinPath(root, 'docs') ?? '') ? '' : '/docs',
    areLinksOfFolder: true,
    // Fields of requests: `#body-name`.
    makesAnchors: ({ frontMatter: { data } }) => ['openapi', 'asyncapi', 'api'].some((key) => key in data),
    areSlugsLoose: true,
    // The first page of the navigation answers at the root.
    isDynamic: (address) => address === '/' || read.generated.some((folder) => isBelow(`${address}/`, folder)),
    navigation: read.entries.map((entry) => ({
      ...entry,
      means: [
        ...['mdx', 'md'].map((extension) => joinPath(root, `${entry.target}.${extension}`) ?? ''),
        toAddress(entry.target),
      ],
      isCode: false,
    })),
    navigationFiles: read.navigationFiles,
    navigationFile: file,
    navigationFaults: read.faults,
    mustBeListed: (path, { frontMatter: { data } }) =>
      !isPart(path) && data.hidden !== true && !('openapi' in data) && !('asyncapi' in data) && !('url' in data),
    redirects: read.redirects,
    redirectFiles: read.redirectFiles,
    languages: listLanguages(tree, {
      root,
      languages: findLanguageFolders(tree, [root], read.languages),
      defaultCode: read.languages[0],
    }),
    versions: read.versions.flatMap((name, index) => {
      const folder = joinPath(root, name);
      return folder !== undefined && tree.hasFolder(folder) ? [{ name, folder, isLatest: index === 0 }] : [];
    }),
  };
}

const findConfiguration = (tree: FileTree, folder: string) =>
  names.map((name) => joinPath(folder, name)).find((path) => path !== undefined && tree.paths.has(path));
