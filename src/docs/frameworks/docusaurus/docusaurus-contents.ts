import type { Literal, Script } from '../../formats/javascript.ts';
import type { Page } from '../../pages/read-page.ts';
import { type FileTree, joinPath, nameOf, relativeTo } from '../../tree.ts';
import { toAddress, withoutExtension, withoutIndex } from '../addresses.ts';

/** A folder of pages and the address that it is served at. */
export interface Content {
  folder: string;
  address: string;
  kind: 'docs' | 'blog' | 'pages';
  /** The docs plugin that it belongs to. */
  id: string;
  version: string | undefined;
  isLatest: boolean;
  language: string | undefined;
}

interface Instance {
  kind: Content['kind'];
  id: string;
  path: string;
  address: string;
  lastVersion: string | undefined;
  currentPath: string | undefined;
}

const plugins: Record<string, Content['kind']> = {
  '@docusaurus/plugin-content-docs': 'docs',
  'content-docs': 'docs',
  '@docusaurus/plugin-content-blog': 'blog',
  'content-blog': 'blog',
  '@docusaurus/plugin-content-pages': 'pages',
  'content-pages': 'pages',
};
const kinds = ['docs', 'blog', 'pages'] as const;
const defaults: Record<Content['kind'], { path: string; address: string }> = {
  docs: { path: 'docs', address: 'docs' },
  blog: { path: 'blog', address: 'blog' },
  pages: { path: 'src/pages', address: '/' },
};

/** https://docusaurus.io/docs/docs-multi-instance, https://docusaurus.io/docs/versioning, https://docusaurus.io/docs/i18n/tutorial */
export function listContents(
  tree: FileTree,
  root: string,
  { script, languages }: { script: Script; languages: readonly string[] },
): Content[] {
  const below = (path: string) => joinPath(root, path) ?? '';
  const own = listInstances(script).flatMap((instance) => listVersions(tree, root, instance));
  const translated = languages.flatMap((language) =>
    own.flatMap((content): Content[] => {
      const plugin = `docusaurus-plugin-content-${content.kind}${content.id === 'default' ? '' : `-${content.id}`}`;
      const version = content.version === undefined ? 'current' : `version-${content.version}`;
      const folder = below(`i18n/${language}/${plugin}${content.kind === 'docs' ? `/${version}` : ''}`);
      return tree.hasFolder(folder)
        ? [{ ...content, folder, address: toAddress(language, content.address), language }]
        : [];
    }),
  );
  return [...translated, ...own];
}

function listVersions(tree: FileTree, root: string, instance: Instance): Content[] {
  const { kind, id, path, address, lastVersion, currentPath } = instance;
  const below = (name: string) => joinPath(root, name) ?? '';
  const content = (folder: string, at: string, version: string | undefined, isLatest: boolean): Content => {
    return { folder, address: toAddress(at), kind, id, version, isLatest, language: undefined };
  };
  if (kind !== 'docs') return [content(below(path), address, undefined, true)];
  const prefix = id === 'default' ? '' : `${id}_`;
  const versionsFile = below(`${prefix}versions.json`);
  const listed = readVersions(tree.read(versionsFile));
  const latest = lastVersion ?? listed[0] ?? 'current';
  // A version that is being cut has its folder first. Without the file, Docusaurus reads no versions.
  const folders = tree.paths.has(versionsFile) ? listFolders(tree, below(`${prefix}versioned_docs`)) : [];
  const versions = [...new Set([...listed, ...folders])];
  const versioned = versions.map((version) => {
    const isLatest = version === latest;
    const at = isLatest ? address : `${address}/${version}`;
    return content(below(`${prefix}versioned_docs/version-${version}`), at, version, isLatest);
  });
  const currentAt = currentPath ?? (latest === 'current' ? '' : 'next');
  return [...versioned, content(below(path), `${address}/${currentAt}`, undefined, latest === 'current')];
}

const listFolders = (tree: FileTree, folder: string): string[] =>
  tree.below(folder).flatMap((path) => /^version-([^/]+)\//.exec(relativeTo(path, folder))?.[1] ?? []);

function readVersions(text: string | undefined): string[] {
  try {
    const versions: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : [];
  } catch {
    return [];
  }
}

/** Those of the preset, and each plugin that is named in a list beside its options. */
function listInstances({ strings }: Script): Instance[] {
  const inPreset = kinds.map((kind) =>
    readInstance(
      kind,
      (key) => strings.find(({ keys }) => keys.at(-1) === key && keys.at(-2) === kind)?.value,
      strings,
    ),
  );
  const inPlugins = strings.flatMap((plugin): Instance[] => {
    // Its types are imported by the same name.
    const kind = plugin.keys.length === 0 ? undefined : plugins[plugin.value];
    if (kind === undefined) return [];
    const options = findOptions(plugin, strings);
    return [readInstance(kind, (key) => options.find(({ keys }) => keys.at(-1) === key)?.value, options)];
  });
  const isReplaced = (kind: string) => inPlugins.some((each) => each.kind === kind && each.id === 'default');
  return [...inPreset.filter(({ kind }) => !isReplaced(kind)), ...inPlugins];
}

/** The strings of the object that follows the plugin's name, up to the next plugin. */
function findOptions({ end, objects }: Literal, strings: readonly Literal[]): Literal[] {
  const following = strings.filter(({ start }) => start > end);
  const next = following.findIndex((each) => each.objects.length <= objects.length);
  return next < 0 ? following : following.slice(0, next);
}

function readInstance(
  kind: Content['kind'],
  readOption: (key: string) => string | undefined,
  strings: readonly Literal[],
): Instance {
  const current = strings.find(({ keys }) => keys.at(-1) === 'path' && keys.at(-2) === 'current')?.value;
  return {
    kind,
    id: readOption('id') ?? 'default',
    path: readOption('path') ?? defaults[kind].path,
    address: readOption('routeBasePath') ?? defaults[kind].address,
    lastVersion: readOption('lastVersion'),
    currentPath: current,
  };
}

/** https://docusaurus.io/docs/create-doc#doc-urls, https://docusaurus.io/docs/blog */
export function listDocAddresses(content: Content, path: string, { frontMatter: { data } }: Page): string[] {
  const names = splitNames(content, path);
  const at = (...rest: string[]) => toAddress(content.address, ...rest);
  const slug = typeof data.slug === 'string' ? data.slug : undefined;
  if (slug?.startsWith('/')) return [at(slug)];
  const folders = names.slice(0, -1);
  if (content.kind === 'blog') return [slug === undefined ? at(...listBlogNames(names.join('/'))) : at(slug)];
  if (slug !== undefined) return [at(...folders, slug)];
  const id = typeof data.id === 'string' ? data.id : undefined;
  const name = names.at(-1) ?? '';
  const isIndex = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === nameOf(folders.join('/')).toLowerCase();
  return [isIndex ? at(...folders) : at(...folders, id ?? name), at(...folders, name)];
}

/** The ids by which sidebars may list a page: that of its front matter, and that of its file name. */
export function listDocNames(content: Content | undefined, path: string, { frontMatter: { data } }: Page): string[] {
  if (content?.kind !== 'docs') return [];
  const names = splitNames(content, path);
  const id = typeof data.id === 'string' ? data.id : undefined;
  return [...(id === undefined ? [] : [[...names.slice(0, -1), id]]), names].map((each) =>
    toDocName(content, each.join('/')),
  );
}

/** Ids count within one version of one plugin. */
export const toDocName = ({ folder }: Content, id: string): string => `${folder}#${id}`;

const splitNames = ({ folder }: Content, path: string): string[] =>
  withoutExtension(relativeTo(path, folder)).split('/').map(withoutNumber);

/** https://docusaurus.io/docs/sidebar/autogenerated#using-number-prefixes */
const withoutNumber = (name: string) => name.replace(/^\d+\s*[-_.]+\s*(?=[^-_.\s\d])/, '');

function listBlogNames(path: string): string[] {
  const dated = /^(?:.*\/)?(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]([^/]+)(?:\/index)?$/.exec(path);
  return dated ? dated.slice(1) : [withoutIndex(path)];
}
