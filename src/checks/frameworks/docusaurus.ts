import { slug } from 'github-slugger';
import type { Page } from '../pages/read-page.ts';
import { githubSlug, type Slug } from '../pages/slugs.ts';
import type { Framework } from '../sites/framework.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf } from '../tree.ts';
import { type Literal, listLiterals } from './javascript.ts';
import { findFolders, isMarkdown, plainRules, withoutExtension, withoutIndex } from './plain.ts';
import { readRedirectSources } from './redirect-files.ts';
import { createRedirectTest } from './redirects.ts';

/** A folder of pages and the address that it is served at. */
interface Content {
  folder: string;
  address: string;
  isBlog: boolean;
}

const configuration = /(?:^|\/)docusaurus\.config\.[cm]?[jt]s$/;

/** https://docusaurus.io/docs/docs-introduction, https://docusaurus.io/docs/versioning, https://docusaurus.io/docs/blog */
export const docusaurus: Framework = {
  name: 'Docusaurus',
  findRoots: ({ paths }) => findFolders(paths, configuration),
  open(tree, root) {
    const file = [...tree.paths].find((path) => configuration.test(path) && folderOf(path) === root);
    const literals = listLiterals(tree.read(file ?? '') ?? '');
    const contents = listContents(tree, root, literals);
    const contentOf = (path: string) => contents.find(({ folder }) => isBelow(path, folder));
    return {
      ...plainRules(root),
      folders: [root, ...contents.map(({ folder }) => folder)],
      isPage: (path) => isMarkdown(path) && contentOf(path) !== undefined,
      isMdx: () => true,
      addressesOf(path, page) {
        const content = contentOf(path);
        return content === undefined || /(?:^|\/)_/.test(path) ? [] : listAddresses(content, path, page);
      },
      staticFolders: [joinPath(root, 'static') ?? ''],
      linkRoots: [root, ...contents.map(({ folder }) => folder)],
      relativeLinks: 'both',
      areAbsoluteLinksChecked: true,
      slug: patchesSlugger(tree) ? keepCaseSlug : githubSlug,
      isRedirected: createRedirectTest([
        ...readRedirectSources(tree, root),
        ...literals.filter(({ keys }) => keys.at(-1) === 'from').map(({ value }) => value),
      ]),
      registeredParts: readRegisteredParts(tree, root),
    };
  },
};

const importedPart = /^import\s+(\w+)\s+from\s+['"]@site\/([^'"]+\.mdx?)['"]/gm;

/** https://docusaurus.io/docs/markdown-features/react#mdx-component-scope */
function readRegisteredParts(tree: FileTree, root: string): Map<string, string[]> {
  const names = ['js', 'jsx', 'ts', 'tsx'].flatMap((extension) => [
    `MDXComponents.${extension}`,
    `MDXComponents/index.${extension}`,
  ]);
  const texts = names.flatMap((name) => tree.read(joinPath(root, `src/theme/${name}`) ?? '') ?? []);
  return new Map(
    texts.flatMap((text) =>
      Array.from(
        text.matchAll(importedPart),
        ([, name = '', path = '']) => [name, [joinPath(root, path) ?? path]] as const,
      ),
    ),
  );
}

function listContents(tree: FileTree, root: string, literals: readonly Literal[]): Content[] {
  const readOption = (section: string, key: string) =>
    literals.find(({ keys }) => keys.at(-1) === key && keys.at(-2) === section)?.value;
  const below = (path: string) => joinPath(root, path) ?? '';
  const docs = readOption('docs', 'routeBasePath') ?? 'docs';
  const versions = readVersions(tree.read(below('versions.json')));
  const versioned = versions.map((version, index) => ({
    folder: below(`versioned_docs/version-${version}`),
    address: index === 0 ? docs : `${docs}/${version}`,
    isBlog: false,
  }));
  const current = versions.length > 0 ? `${docs}/next` : docs;
  return [
    ...versioned,
    { folder: below(readOption('docs', 'path') ?? 'docs'), address: current, isBlog: false },
    {
      folder: below(readOption('blog', 'path') ?? 'blog'),
      address: readOption('blog', 'routeBasePath') ?? 'blog',
      isBlog: true,
    },
    { folder: below('src/pages'), address: '', isBlog: false },
  ].map((content) => ({ ...content, address: `/${content.address}`.replace(/\/+/g, '/').replace(/\/$/, '') }));
}

function readVersions(text: string | undefined): string[] {
  try {
    const versions: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(versions) ? versions.filter((version) => typeof version === 'string') : [];
  } catch {
    return [];
  }
}

function listAddresses({ folder, address, isBlog }: Content, path: string, { frontMatter: { data } }: Page): string[] {
  const below = withoutExtension(path.slice(folder.length + 1))
    .split('/')
    .map(withoutNumber);
  const at = (...names: string[]) => `${address}/${names.filter(Boolean).join('/')}`.replace(/(?<=.)\/$/, '') || '/';
  const slug = typeof data.slug === 'string' ? data.slug : undefined;
  if (slug?.startsWith('/')) return [at(slug.slice(1).replace(/\/$/, ''))];
  const folders = below.slice(0, -1);
  if (slug !== undefined) return [at(...folders, slug)];
  if (isBlog) return [at(...listBlogNames(below.join('/')))];
  const id = typeof data.id === 'string' ? data.id : undefined;
  const name = below.at(-1) ?? '';
  const isIndex = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === nameOf(folders.join('/')).toLowerCase();
  return [isIndex ? at(...folders) : at(...folders, id ?? name), at(...folders, name)];
}

/** https://docusaurus.io/docs/sidebar/autogenerated#using-number-prefixes */
const withoutNumber = (name: string) => name.replace(/^\d+\s*[-_.]+\s*(?=[^-_.\s\d])/, '');

function listBlogNames(path: string): string[] {
  const dated = /^(?:.*\/)?(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]([^/]+)(?:\/index)?$/.exec(path);
  return dated ? dated.slice(1) : [withoutIndex(path)];
}

/** A patch of Docusaurus' loader is the only sign: the site's headings keep their case. */
const patchesSlugger = ({ paths }: FileTree) =>
  [...paths].some((path) => /(?:^|\/)patches\/@docusaurus\+mdx-loader/.test(path));

const version = /^\d+(?:\.\d+)*$/;

const keepCaseSlug: Slug = (text) => slug(version.test(text) ? text.replaceAll('.', '-') : text, true);
