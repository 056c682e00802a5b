import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar } from 'yaml';
import type { Slug } from '../pages/slugs.ts';
import type { Framework, NavigationEntry } from '../sites/framework.ts';
import { folderOf, isBelow, joinPath } from '../tree.ts';
import { findFolders, isMarkdown, plainRules, withoutExtension, withoutIndex } from './plain.ts';

const configuration = /(?:^|\/)mkdocs\.ya?ml$/;

/** https://www.mkdocs.org/user-guide/configuration/ */
export const mkdocs: Framework = {
  name: 'MkDocs',
  findRoots: ({ paths }) => findFolders(paths, configuration),
  open(tree, root) {
    const file = [...tree.paths].find((path) => configuration.test(path) && folderOf(path) === root) ?? '';
    const counter = new LineCounter();
    const document = parseDocument(tree.read(file) ?? '', {
      lineCounter: counter,
      logLevel: 'silent',
      uniqueKeys: false,
    });
    const nav = document.get('nav');
    const docs = document.get('docs_dir');
    const folder = joinPath(root, typeof docs === 'string' ? docs : 'docs') ?? root;
    const lineOf = (node: Scalar) => counter.linePos(node.range?.[0] ?? 0).line;
    return {
      ...plainRules(root),
      isPage: (path) => isMarkdown(path) && isBelow(path, folder),
      isMdx: () => false,
      addressesOf: (path) => [`/${withoutIndex(withoutExtension(path.slice(folder.length + 1)))}`],
      staticFolders: [folder],
      linkRoots: [folder],
      // MkDocs leaves absolute links and raw HTML as they are.
      relativeLinks: 'files',
      areAbsoluteLinksChecked: false,
      areAttributesChecked: false,
      slug,
      navigation: listEntries(nav).map(
        ({ node, value }): NavigationEntry => ({
          target: joinPath(folder, value) ?? value,
          file,
          line: lineOf(node),
          ...locate(node),
        }),
      ),
      navigationFile: nav === undefined ? undefined : file,
      navigationFaults: document.errors.slice(0, 1).map(({ message, linePos }) => ({
        file,
        line: linePos?.[0].line ?? 1,
        message: `not valid YAML: ${message.split('\n', 1)[0]}`,
      })),
      mustBeListed: (path) => !/(?:^|\/)(?:blog|includes)\//.test(path),
    };
  },
};

/** Without quotes. */
function locate({ range, type }: Scalar): { start: number; end: number } {
  const [start = 0, end = 0] = range ?? [];
  const quote = type === 'QUOTE_SINGLE' || type === 'QUOTE_DOUBLE' ? 1 : 0;
  return { start: start + quote, end: end - quote };
}

function listEntries(node: unknown): { node: Scalar; value: string }[] {
  if (isSeq(node)) return node.items.flatMap(listEntries);
  if (isMap(node)) return node.items.flatMap(({ value }) => listEntries(value));
  if (!isScalar(node) || typeof node.value !== 'string') return [];
  return /^[a-z][a-z\d+.-]*:|^\/|^$/i.test(node.value) ? [] : [{ node, value: node.value }];
}

/** https://python-markdown.github.io/extensions/toc/ */
const slug: Slug = (text) =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}_\s-]/gu, '')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '-');
