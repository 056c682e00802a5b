import { isMap, isSeq } from 'yaml';
import { listPairs, readYaml, textOf } from '../formats/yaml.ts';
import { type FileTree, folderOf, isBelow, joinPath, nameOf, relativeTo } from '../tree.ts';
import { pageAddress } from './addresses.ts';
import { containerAt } from './edits/data-files.ts';
import { pagesRules } from './edits/rules.ts';
import { type Framework, markedBy } from './framework.ts';
import { listLanguages } from './languages.ts';
import { plainRules } from './plain.ts';
import { readLineEntry } from './redirects/host-redirects.ts';
import type { SiteRules } from './site-rules.ts';
import { listSummaryEntries } from './summary-entries.ts';

/** https://gitbook.com/docs/getting-started/git-sync/content-configuration */
export const gitbook: Framework = {
  name: 'GitBook',
  markers: markedBy('summary.md', '.gitbook.yaml', '.gitbook.yml', '.gitbook/'),
  sites: { findRoots: findSpaces, open: (tree, root) => [openGitbook(tree, root)] },
  data: [
    {
      path: /^\.gitbook\.ya?ml$/,
      format: 'yaml',
      what: 'its redirects',
      containers: [containerAt(pagesRules, 'redirects')],
    },
  ],
  dialect: { templates: [{ language: 'gitbook' }], blocks: 'tags' },
  redirectForms: [
    { file: /^\.gitbook\.ya?ml$/, write: (from, to) => `redirects:\n  ${from.address.slice(1)}: ${to.path}` },
  ],
};

/** Its predecessor, which runs Nunjucks in pages: https://honkit.netlify.app/templating/ */
export const honkit: Framework = {
  name: 'HonKit',
  markers: markedBy('book.json', 'book.js'),
  // https://github.com/honkit/honkit reads Markdown by kramed, a kramdown of JavaScript.
  dialect: { templates: [{ language: 'liquid' }], markdown: 'kramdown' },
};

/** Folders with a table of contents, and those that settings name. */
function findSpaces(tree: FileTree): string[] {
  const summaries = tree.named(['SUMMARY.md']).map(folderOf);
  return [...new Set([...summaries.filter((folder) => !isBook(tree, folder)), ...listConfigured(tree)])];
}

function openGitbook(tree: FileTree, root: string): SiteRules {
  const settings = findSettings(tree, root);
  const text = tree.read(settings ?? '') ?? '';
  const { document, locate } = readYaml(text);
  const named = (key: string) => textOf(document.getIn(['structure', key]));
  const summary = joinPath(root, named('summary') ?? 'SUMMARY.md') ?? '';
  const readme = joinPath(root, named('readme') ?? 'README.md');
  const toPath = (path: string) => (path === readme ? 'README.md' : relativeTo(path, root));
  return {
    ...plainRules(root),
    configurationFiles: [settings, tree.paths.has('docs.yaml') ? 'docs.yaml' : undefined].filter(
      (path) => path !== undefined,
    ),
    isPage: (path) => isBelow(path, root) && !isAutomation(relativeTo(path, root)),
    isMdx: () => false,
    addressesOf: (path) => [pageAddress(toPath(path))],
    areSlugsLoose: true,
    navigation: listSummaryEntries(tree.read(summary) ?? '', root, summary),
    navigationFiles: tree.paths.has(summary) ? [summary] : [],
    navigationFile: tree.paths.has(summary) ? summary : undefined,
    mustBeListed: (path, { frontMatter: { data } }) =>
      path !== summary && path !== readme && data.hidden !== true && !path.includes('.gitbook/'),
    redirects: listPairs(document.get('redirects', true)).map(({ key, keyNode, node, value }) => ({
      from: pageAddress(key),
      to: value,
      file: settings ?? '',
      ...locate(node),
      entry: readLineEntry(text, locate(keyNode)),
    })),
    redirectFiles: settings === undefined ? [] : [settings],
    languages: listSpaceLanguages(tree, root),
  };
}

/** Files for people and tools that work on the repository. */
const isAutomation = (below: string) =>
  /^\.(?:github|claude|cursor)\//.test(below) || /^(?:AGENTS|CLAUDE)\.md$/.test(nameOf(below));

/** mdBook has such a file, too, one folder below its configuration. */
const isBook = (tree: FileTree, folder: string) =>
  [folder, folderOf(folder)].some((each) => tree.paths.has(joinPath(each, 'book.toml') ?? '')) ||
  isLiterate(tree, folder) ||
  isOfHugo(tree, folder);

/** Scripts copy pages into the content of Hugo with the table of contents that they have elsewhere. */
const isOfHugo = (tree: FileTree, folder: string): boolean =>
  tree
    .named(['hugo.toml', 'hugo.yaml', 'hugo.yml', 'config.toml'])
    .some((file) => isBelow(folder, joinPath(folderOf(file), 'content') ?? ''));

/** A plugin of MkDocs reads it. https://oprypin.github.io/mkdocs-literate-nav/ */
const isLiterate = (tree: FileTree, folder: string): boolean =>
  tree
    .named(['mkdocs.yml', 'mkdocs.yaml'])
    .some((file) => isBelow(`${folder}/`, folderOf(file)) && /literate-nav/.test(tree.read(file) ?? ''));

/** Of a space without a table of contents: `root` of its settings. */
const listConfigured = (tree: FileTree): string[] =>
  tree.named(['.gitbook.yaml', '.gitbook.yml']).flatMap((path) => {
    const root = textOf(readYaml(tree.read(path) ?? '').document.get('root'));
    const folder = joinPath(folderOf(path), root ?? '.');
    return folder !== undefined && root !== undefined && tree.hasFolder(folder) ? [folder] : [];
  });

/** The settings lie in the space's folder, or in one above it that names it as its root. */
function findSettings(tree: FileTree, root: string): string | undefined {
  return tree.named(['.gitbook.yaml', '.gitbook.yml']).find((path) => {
    const named = textOf(readYaml(tree.read(path) ?? '').document.get('root'));
    return joinPath(folderOf(path), named ?? '.') === root;
  });
}

/** Spaces that `docs.yaml` names with their language. */
function listSpaceLanguages(tree: FileTree, root: string) {
  const { document } = readYaml(tree.read('docs.yaml') ?? '');
  const spaces = listSpaces(document.contents).filter(({ folder }) => tree.hasFolder(folder));
  const own = spaces.find(({ folder }) => folder === root);
  return own === undefined ? [] : listLanguages(tree, { root, languages: spaces, defaultCode: spaces[0]?.code });
}

function listSpaces(node: unknown): { code: string; folder: string }[] {
  if (isSeq(node)) return node.items.flatMap(listSpaces);
  if (!isMap(node)) return [];
  const [code, directory] = [textOf(node.get('language')), textOf(node.get('directory'))];
  const folder = directory === undefined ? undefined : joinPath('', directory);
  return [
    ...(code !== undefined && folder !== undefined ? [{ code, folder }] : []),
    ...node.items.flatMap(({ value }) => listSpaces(value)),
  ];
}
