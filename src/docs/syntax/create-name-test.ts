import { blankCode } from '../pages/blank-code.ts';
import { findPart } from '../sites/find-part.ts';
import type { Site } from '../sites/open-sites.ts';
import { type FileTree, isBelow } from '../tree.ts';
import type { UsedName } from './list-names.ts';

const code = /\.[cm]?[jt]sx?$/;
const registers = /MDXComponents|mdxComponents/;
const namespace = /^import\s+\*\s+as\s+(\w+)\s+from\s+['"]([^'"]+)['"]/gm;

/**
 * Whether pages of a site have a component or a name that they do not declare: from the framework, from the files that register
 * components, or because a page of the base uses it. Files are searched for the first unknown name only.
 */
export function createNameTest(base: { tree: FileTree; site: Site | undefined }, head: { tree: FileTree; site: Site }) {
  const { framework, root } = head.site;
  const { components, names, registry = code, passesAttributes } = framework.dialect ?? {};
  let registries: { path: string; text: string }[] | undefined;

  function isRegistered(name: string): boolean {
    registries ??= [...head.tree.paths]
      .filter((path) => registry.test(path) && isBelow(path, root))
      .map((path) => ({ path, text: head.tree.read(path) ?? '' }))
      .filter(({ text }) => registers.test(text));
    return registries.some(({ path, text }) => isKey(text, name) || spreads(path, text, name));
  }

  /** `...All` of a module that may export anything has every name. */
  function spreads(path: string, text: string, name: string): boolean {
    return Array.from(text.matchAll(namespace)).some(([, local = '', module = '']) => {
      if (!text.includes(`...${local}`)) return false;
      const file = /^[.@~]+\//.test(module) ? findPart(head.tree, head.site, path, module) : undefined;
      const exported = file === undefined ? undefined : head.tree.read(file);
      if (exported !== undefined && !/export\s*\*/.test(exported)) return hasWord(exported, name);
      return listModuleExports(module)?.has(name) ?? true;
    });
  }

  function isUsedInBase({ kind, name }: UsedName): boolean {
    if (!base.site) return false;
    return [...base.site.pages].some(([path, page]) => {
      const text =
        kind === 'component' && !page.tags.some((tag) => isPart(tag.name, name)) ? undefined : base.tree.read(path);
      if (text === undefined || (kind === 'name' && !new RegExp(`\\{\\s*${RegExp.escape(name)}[\\s.}]`).test(text)))
        return false;
      return !blankCode(text, { isMdx: true }).scripts.some((script) => hasWord(script.text, name));
    });
  }

  /** A part of a page may get its names from the tags that show it. */
  function isPassed(name: string): boolean {
    const given = new RegExp(`\\s${RegExp.escape(name)}\\s*=\\s*["'{]`);
    return [...head.site.pages].some(([path, { tags }]) => tags.length > 0 && given.test(head.tree.read(path) ?? ''));
  }

  return (used: UsedName, path: string): boolean => {
    const { kind, name } = used;
    const isPassedIn = kind === 'name' && passesAttributes && isPartOfPages(head.site, path) && isPassed(name);
    const provided = kind === 'component' ? components : names;
    return (
      components === undefined ||
      isPassedIn ||
      provided?.includes(name) ||
      head.site.registeredParts.has(name) ||
      (kind === 'component' && isRegistered(name)) ||
      isUsedInBase(used)
    );
  };
}

const isPart = (tag: string, name: string) => tag === name || tag.startsWith(`${name}.`);

function isPartOfPages(site: Site, path: string): boolean {
  const page = site.pages.get(path);
  return page !== undefined && site.addressesOf(path, page).length === 0;
}

/** Names of JavaScript: letters, digits, `_` and `$`. */
const hasWord = (text: string, name: string) => new RegExp(`(?<![\\w$])${RegExp.escape(name)}(?![\\w$])`).test(text);

/** In an object, `Name`, `Name: …` or `Name() { … }`, not where it is imported, declared or shown. */
function isKey(text: string, name: string): boolean {
  const withoutImports = text.replace(/^import\b[^'"]{0,1000}['"][^'"\n]*['"]/gm, '');
  const key = new RegExp(
    `(?<![\\w$.<])(?<!\\b(?:function|const|let|var|class|type|interface)\\s+)${RegExp.escape(name)}\\s*(?:[,:}\\n]|\\([^()]*\\)\\s*\\{)`,
  );
  return key.test(withoutImports);
}

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
const listModuleExports = (module: string): ReadonlySet<string> | undefined => modules.get(module);
