import { isMap, isScalar, isSeq, type Scalar } from 'yaml';
import { listTexts, readYaml, textOf } from '../../formats/yaml.ts';
import { type FileTree, folderOf, joinPath, nameOf } from '../../tree.ts';
import type { NavigationEntry } from '../site-rules.ts';

export interface QuartoConfiguration {
  /** The main one first, then those of profiles and `metadata-files`. */
  files: string[];
  /** `website`, `book`, `manuscript` or another type of the project. */
  type: string | undefined;
  /** Globs of what is rendered. Empty: all pages. */
  render: string[];
  outputFolder: string | undefined;
  /** Scripts make files before pages are rendered. */
  hasScripts: boolean;
  entries: NavigationEntry[];
  /** All pages are listed: `contents: auto`. */
  isAutomatic: boolean;
  faults: { file: string; line: number; message: string }[];
}

export const mainOf = (tree: FileTree, root: string): string | undefined =>
  ['_quarto.yml', '_quarto.yaml'].map((name) => joinPath(root, name) ?? '').find((path) => tree.paths.has(path));

/** Where entries stand. https://quarto.org/docs/reference/projects/websites.html, https://quarto.org/docs/reference/projects/books.html */
const places = [
  ['website', 'navbar'],
  ['website', 'sidebar'],
  ['website', 'page-footer'],
  ['book', 'navbar'],
  ['book', 'sidebar'],
  ['book', 'chapters'],
  ['book', 'appendices'],
  ['book', 'page-footer'],
];

export function readQuartoConfiguration(tree: FileTree, root: string): QuartoConfiguration {
  const main = mainOf(tree, root) ?? '';
  const found: QuartoConfiguration = {
    ...{ files: [main], type: undefined, render: [], outputFolder: undefined },
    ...{ hasScripts: false, entries: [], isAutomatic: false, faults: [] },
  };
  const profiles = tree
    .below(root)
    .filter((path) => folderOf(path) === root && /^_quarto-[\w.-]+\.ya?ml$/.test(nameOf(path)));
  const { document } = readYaml(tree.read(main) ?? '');
  const named = listTexts(document.get('metadata-files', true)).flatMap(({ value }) => joinPath(root, value) ?? []);
  found.files.push(...profiles, ...named.filter((path) => tree.paths.has(path)));
  for (const file of found.files) readFile(tree, root, file, found);
  // https://quarto.org/docs/extensions/project-types.html
  const extension = tree.read(joinPath(root, `_extensions/${found.type}/_extension.yml`) ?? '') ?? '';
  found.type = /^[ ]+type: (website|book|manuscript)\s*$/m.exec(extension)?.[1] ?? found.type;
  found.hasScripts ||= extension.includes('pre-render');
  return found;
}

function readFile(tree: FileTree, root: string, file: string, found: QuartoConfiguration): void {
  const { document, fault, locate } = readYaml(tree.read(file) ?? '');
  if (fault !== undefined) {
    found.faults.push({ file, ...fault });
    return;
  }
  const read = (...keys: string[]) => document.getIn(keys, true);
  found.type ??= textOf(read('project', 'type'));
  found.outputFolder ??= textOf(read('project', 'output-dir'));
  found.render.push(...listTexts(read('project', 'render')).map(({ value }) => value));
  found.hasScripts ||= read('project', 'pre-render') !== undefined;
  for (const place of places) {
    for (const { node, isPattern } of listEntries(read(...place), place.at(-1) ?? '')) {
      const written = String(node.value);
      // Listings make feeds: https://quarto.org/docs/websites/website-blog.html#rss-feed
      if (/^[a-z][a-z\d+.-]*:|^-+$|^#|^$|\.xml$/i.test(written)) continue;
      const path = written.replace(/[#?].*/, '');
      const target = joinPath(root, path) ?? path;
      const isPage = /\.\w+$/.test(path) || path.endsWith('/') || tree.hasFolder(target);
      const folder = folderOf(target.split('*', 1)[0] ?? '');
      if (isPattern && folder === '') found.isAutomatic = true;
      if (isPattern ? folder === '' : !isPage) continue;
      const { start, line } = locate(node);
      const html = target.replace(/\.html$/, '');
      found.entries.push({
        ...{ target, file, line, start, end: start + path.length, isCode: false },
        means: [
          ...(isPattern ? [`${folder}/`] : []),
          target,
          ...(pageFile.test(target) ? [] : ['.qmd', '.ipynb', '.Rmd', '.md'].map((ending) => html + ending)),
          `${target}/index.qmd`,
          `${target}/`,
        ],
        ...(isPattern && { isPattern }),
      });
    }
  }
}

/** A text is an entry in a list of contents, and as the value of some keys. */
function listEntries(node: unknown, key: string): { node: Scalar; isPattern: boolean }[] {
  if (isSeq(node)) return node.items.flatMap((item) => listEntries(item, key));
  if (isMap(node))
    return node.items.flatMap(({ key: name, value }) => listEntries(value, isScalar(name) ? String(name.value) : ''));
  if (!isScalar(node) || typeof node.value !== 'string' || !entryKeys.test(key)) return [];
  const isTitle = /^(?:section|part)$/.test(key) && !/\.(?:qmd|md|ipynb|rmd)$/i.test(node.value);
  return isTitle ? [] : [{ node, isPattern: key === 'auto' || /[*]/.test(node.value) || node.value === 'auto' }];
}

const pageFile = /\.(?:qmd|ipynb|rmd|md)$/i;
const entryKeys = /^(?:contents|chapters|appendices|href|file|section|part|auto|left|right|center|menu|tools)$/;
