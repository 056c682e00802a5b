import { containerAt, type DataFile } from '../edits/data-files.ts';
import type { EntryRules } from '../edits/entry-rules.ts';
import { navigationRules, redirectRules } from '../edits/rules.ts';
import { type Framework, type Marker, words } from '../framework.ts';
import { openMintlify } from './open-mintlify.ts';

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
