import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { extensionOf } from '../../docs/page-extensions.ts';
import type { BaseFiles } from '../base-files.ts';
import type { Dialect, TemplateLanguage } from './readers/dialect.ts';

/** A file or folder that decides how the pages in its folder are read. */
interface Marker {
  /** Of the path, in lower case. */
  pattern: RegExp;
  /** The marker counts only if the file contains this. */
  contains?: RegExp;
  /** `.md` is read as MDX. */
  mdx?: boolean;
  vue?: boolean;
  svelte?: boolean;
  template?: TemplateLanguage;
  components?: string;
}

// https://www.mintlify.com/docs/components
const mintlify = `Accordion AccordionGroup Badge Banner Callout Card CardGroup Check CodeBlock CodeGroup Color Column Columns Danger
  Expandable Frame Icon Info Latex Mermaid Note Panel Param ParamField RequestExample ResponseExample ResponseField Snippet Step
  Steps Tab Tabs Tile Tip Tooltip Tree Update Video View Visibility Warning`;

const markers: readonly Marker[] = [
  { pattern: /^docs\.json$|^mint\.json$/, mdx: true, components: mintlify },
  { pattern: /^docusaurus\.config\.[cm]?[jt]s$/, mdx: true },
  // Nextra.
  { pattern: /^(theme\.config|_meta(\.global)?)\.[jt]sx?$/, mdx: true },
  { pattern: /^\.(vitepress|vuepress)$/, vue: true, components: 'Badge ClientOnly Content' },
  { pattern: /^index\.html$/, contains: /docsify/i, vue: true, template: 'docsify' },
  { pattern: /^svelte\.config\.[jt]s$/, contains: /mdsvex/, svelte: true },
  { pattern: /^mkdocs\.ya?ml$/, template: 'snippets' },
  { pattern: /^mkdocs\.ya?ml$/, contains: /macros|jinja|markdownextradata|exec/, template: 'liquid' },
  { pattern: /^_config\.ya?ml$|^\.?eleventy(\.config)?\.[cm]?[jt]s$|^book\.js(on)?$/, template: 'liquid' },
  { pattern: /^hugo\.(toml|ya?ml|json)$|^archetypes$/, template: 'hugo' },
  { pattern: /^config\.(toml|ya?ml|json)$/, contains: /baseurl/i, template: 'hugo' },
  { pattern: /^config\.toml$/, contains: /^base_url\s*=/m, template: 'zola' },
  { pattern: /^\.gitbook\.ya?ml$|^\.gitbook$|^summary\.md$/, template: 'gitbook' },
  { pattern: /^book\.toml$/, template: 'mdbook' },
];

/** Every name that may be a marker, by the folder that it stands in. */
type Found = ReadonlyMap<string, readonly { marker: Marker; path: string }[]>;

/**
 * Finds how the site reads a page, by the files of the base: the settings in the nearest folder above the page, or else all settings of the
 * repository, because they may be in a folder beside the pages.
 */
export function createDialectFinder(base: Pick<BaseFiles, 'files' | 'readTexts'>) {
  let found: Promise<Found> | undefined;
  return async (path: string): Promise<Dialect> => {
    found ??= findMarkers(base);
    return describeDialect(path, findNearest(await found, path));
  };
}

const anyMarker = new RegExp(markers.map(({ pattern }) => pattern.source).join('|'));
const pathsAtOnce = 2_000;

async function findMarkers({ files, readTexts }: Pick<BaseFiles, 'files' | 'readTexts'>): Promise<Found> {
  const seen = new Set<string>();
  const places: { folder: string; marker: Marker; path: string }[] = [];
  let count = 0;
  for (const path of files.keys()) {
    count += 1;
    if (count % pathsAtOnce === 0) await yieldToEventLoop();
    let place = path.toLowerCase();
    // The file, then each folder above it that no path before had.
    for (; place !== '' && !seen.has(place); place = parentOf(place)) {
      seen.add(place);
      const name = place.slice(place.lastIndexOf('/') + 1);
      if (!anyMarker.test(name)) continue;
      for (const marker of markers)
        if (marker.pattern.test(name)) places.push({ folder: parentOf(place), marker, path });
    }
  }
  const texts = await readTexts(places.flatMap(({ marker, path }) => (marker.contains ? [path] : [])));
  const live = places.filter(({ marker: { contains }, path }) => contains?.test(texts.get(path) ?? '') ?? true);
  return Map.groupBy(live, ({ folder }) => folder);
}

function findNearest(found: Found, path: string): Marker[] {
  for (let folder = parentOf(path.toLowerCase()); ; folder = parentOf(folder)) {
    const here = found.get(folder);
    if (here !== undefined) return here.map(({ marker }) => marker);
    if (folder === '') return [...found.values()].flat().map(({ marker }) => marker);
  }
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function describeDialect(path: string, near: readonly Marker[]): Dialect {
  const extension = extensionOf(path);
  const templates = near.flatMap(({ template }) => template ?? []);
  return {
    syntax: findSyntax(extension, near),
    vue: near.some(({ vue }) => vue) && extension !== 'mdx',
    braces: near.some(({ svelte }) => svelte) && extension !== 'mdx',
    templates: extension === 'mdoc' ? [...templates, 'markdoc'] : [...new Set(templates)],
    components: near.flatMap(({ components }) => components?.split(/\s+/) ?? []),
  };
}

function findSyntax(extension: string, near: readonly Marker[]): Dialect['syntax'] {
  if (extension === 'mdx') return 'mdx';
  if (['rst', 'txt', 'po', 'pot'].includes(extension)) return 'restructuredtext';
  if (extension === 'adoc' || extension === 'asciidoc') return 'asciidoc';
  return near.some(({ mdx }) => mdx) ? 'mdx' : 'markdown';
}
