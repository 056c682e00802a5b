const list = (names: string) => new Set(names.split(/\s+/));

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
export const listModuleExports = (module: string): ReadonlySet<string> | undefined => modules.get(module);
