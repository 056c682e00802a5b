import { Document, isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { type Data, isMap as isTable } from '../formats/data.ts';
import { createStringFinder, readToml } from '../formats/toml.ts';
import { textOf } from '../formats/yaml.ts';
import { createLineOf } from '../line-of.ts';
import { type FileTree, joinPath } from '../tree.ts';
import { containerAt } from './edits/data-files.ts';
import { pagesRules } from './edits/rules.ts';
import { type Framework, markedBy } from './framework.ts';
import { awesomeNavigation, excludeRules, listCustomFolders, pythonMarkdown } from './mkdocs/mkdocs.ts';
import type { MkDocsConfiguration } from './mkdocs/mkdocs-configuration.ts';
import { openMkDocsSite } from './mkdocs/open-mkdocs.ts';
import type { SiteRules } from './site-rules.ts';

function openZensical(tree: FileTree, root: string): SiteRules[] {
  const configuration = readZensicalConfiguration(tree, root);
  const folder = joinPath(root, textOf(configuration.find('docs_dir')?.node) ?? 'docs') ?? root;
  return [openMkDocsSite(tree, { root, folder, file: configuration.files[0] ?? '', configuration })];
}

/** https://zensical.org/docs/setup/basics/ */
export const zensical: Framework = {
  name: 'Zensical',
  hasExactAddresses: true,
  markers: markedBy('zensical.toml'),
  sites: { open: openZensical },
  data: [
    {
      path: /^zensical\.toml$/,
      format: 'toml',
      what: 'nav, not_in_nav, exclude_docs and redirect_maps',
      containers: [
        containerAt(pagesRules, 'project', 'nav'),
        containerAt(pagesRules, 'project', 'not_in_nav'),
        containerAt(excludeRules, 'project', 'exclude_docs'),
        // https://zensical.org/docs/compatibility/mkdocs/plugins/
        containerAt(pagesRules, 'project', 'plugins', 'redirects', 'redirect_maps'),
      ],
    },
    awesomeNavigation,
  ],
  dialect: pythonMarkdown,
  templates: [/^overrides\//],
  listTemplateFolders: listCustomFolders,
  redirectForms: [
    {
      file: /^zensical\.toml$/,
      write: (from, to) => `[project.plugins.redirects.redirect_maps]\n"${from.path}" = "${to.path}"`,
    },
  ],
};

/** `[project]` holds the settings of MkDocs, with tables in the place of lists of plugins. https://zensical.org/docs/setup/basics/ */
function readZensicalConfiguration(tree: FileTree, root: string): MkDocsConfiguration {
  const file = joinPath(root, 'zensical.toml') ?? '';
  const text = tree.read(file) ?? '';
  const { value, fault } = readToml(text);
  const project = isTable(value) && isTable(value.project) ? value.project : {};
  const settings = { ...project, markdown_extensions: flattenNames(project.markdown_extensions) };
  const document = new Document(settings);
  const lineOf = createLineOf(text);
  const places = new Map<unknown, { start: number; end: number }>();
  place(document.get('nav', true), createStringFinder(text, findKey(text, /^[ \t]*nav[ \t]*=/m)));
  const maps = document.getIn(['plugins', 'redirects', 'redirect_maps'], true);
  place(maps, createStringFinder(text, findKey(text, /redirect_maps/)));

  /** In the order of the text. */
  function place(node: unknown, finder: ReturnType<typeof createStringFinder>): void {
    if (isSeq(node)) for (const item of node.items) place(item, finder);
    if (isMap(node)) {
      for (const { key, value: below } of node.items) {
        if (isScalar(key)) keep(key, finder.findNext(String(key.value)));
        place(below, finder);
      }
    }
    if (isScalar(node) && typeof node.value === 'string') keep(node, finder.find(node.value));
  }

  function keep(node: Scalar, found: { start: number; end: number } | undefined): void {
    if (found !== undefined) places.set(node, found);
  }

  return {
    files: [file],
    faults: fault ? [{ file, ...fault }] : [],
    find(key) {
      const node: unknown = document.get(key, true);
      return node === undefined ? undefined : { node, file, text, locate };
    },
  };

  function locate(node: Scalar) {
    const { start, end } = places.get(node) ?? { start: 0, end: 0 };
    return { line: lineOf(start), start, end };
  }
}

const findKey = (text: string, key: RegExp): number => Math.max(0, text.search(key));

/** `[project.markdown_extensions.pymdownx.tabbed]` is the extension `pymdownx.tabbed`. */
function flattenNames(extensions: Data | undefined): Data {
  if (!isTable(extensions)) return extensions ?? null;
  const { pymdownx, ...others } = extensions;
  const named = Object.entries(isTable(pymdownx) ? pymdownx : {});
  return { ...others, ...Object.fromEntries(named.map(([name, options]) => [`pymdownx.${name}`, options])) };
}
