/** Components and names that pages of a framework have without an import. */
interface Provided {
  components: ReadonlySet<string>;
  names: ReadonlySet<string>;
}

const list = (names: string) => new Set(names.split(/\s+/));

// https://www.mintlify.com/docs/components
const mintlify = `Accordion AccordionGroup Badge Banner Callout Card CardGroup Check CodeBlock CodeGroup Color Column Columns Danger
  Expandable FileTree Frame GitHub Icon Info Latex Mermaid Note Panel Param ParamField PreviewButton Prompt RequestExample RequestField ResponseExample
  ResponseField Snippet Step Steps Tab Tabs Tile Tip Tooltip Tree Update Video View Visibility Warning`;

const frameworks: ReadonlyMap<string, Provided> = new Map([
  ['Mintlify', { components: list(mintlify), names: list('user page') }],
  // https://docusaurus.io/docs/markdown-features/react
  [
    'Docusaurus',
    { components: list('Head Details'), names: list('frontMatter metadata contentTitle toc assets components') },
  ],
  // https://docs.astro.build/en/guides/integrations-guide/mdx/
  ['Starlight', { components: list('Fragment'), names: list('frontmatter file url components Astro') }],
  // https://nextra.site/docs/guide/markdown
  ['Nextra', { components: list('Head'), names: list('metadata toc frontMatter components') }],
  // https://fumadocs.dev/docs/markdown
  [
    'Fumadocs',
    {
      components: list(
        'Card Cards Callout CalloutContainer CalloutTitle CalloutDescription CodeBlockTab CodeBlockTabs',
      ),
      names: list('frontmatter toc structuredData lastModified components'),
    },
  ],
]);

export const isProvided = (framework: string, kind: 'component' | 'name', name: string): boolean =>
  frameworks.get(framework)?.[kind === 'component' ? 'components' : 'names'].has(name) ?? false;

export const listProvided = (framework: string): ReadonlySet<string> =>
  frameworks.get(framework)?.components ?? new Set();

/** False if pages of the framework may get components from unknown places. */
export const hasKnownComponents = (framework: string): boolean => frameworks.has(framework);

/** Modules whose exports sites spread into their components: https://fumadocs.dev/docs/ui/components */
const modules: ReadonlyMap<string, ReadonlySet<string>> = new Map<string, ReadonlySet<string>>([
  ['fumadocs-ui/mdx', list('Card Cards Callout')],
  ['fumadocs-ui/components/tabs', list('Tab Tabs TabsContent TabsList TabsTrigger')],
  ['fumadocs-ui/components/accordion', list('Accordion Accordions')],
  ['fumadocs-ui/components/steps', list('Step Steps')],
  ['fumadocs-ui/components/files', list('File Files Folder')],
  ['fumadocs-ui/components/callout', list('Callout')],
  ['fumadocs-ui/components/type-table', list('TypeTable')],
  ['fumadocs-ui/components/image-zoom', list('ImageZoom')],
  ['react', new Set()],
  ['react/jsx-runtime', new Set()],
  ['fumadocs-twoslash/ui', list('Popup PopupContent PopupTrigger')],
  ['fumadocs-ui/components/codeblock', list('CodeBlock Pre')],
]);

/** Undefined: unknown, so it may export anything. */
export const listExports = (module: string): ReadonlySet<string> | undefined => modules.get(module);
