import { decodeAddress } from '../../decode-address.ts';
import { normalizeLabel } from '../../pages/read-sphinx-page.ts';
import { type FileTree, folderOf, isBelow, joinPath } from '../../tree.ts';
import type { LinkMeaning, SiteRules } from '../site-rules.ts';
import type { SphinxConfiguration } from './sphinx-configuration.ts';

/** Pages that Sphinx makes. */
const made = /^(?:genindex|modindex|py-modindex|search)$/;
const external = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** How links and entries of Sphinx find their targets: https://www.sphinx-doc.org/en/master/usage/referencing.html */
export function createSphinxLinks(
  tree: FileTree,
  options: { folder: string; configuration: SphinxConfiguration; isDocument(path: string): boolean },
): Pick<SiteRules, 'findMeaning' | 'readEntry'> {
  const { folder, configuration, isDocument } = options;
  const { suffixes, hasOpenLabels } = configuration;
  const endings = [...new Set([...suffixes, '.rst', '.md', '.ipynb', '.txt'])];
  /** A slash at the start is the folder of all pages. */
  const locate = (from: string, target: string) => joinPath(target.startsWith('/') ? folder : folderOf(from), target);
  /** No name of a document leads out of that folder. */
  const locateDocument = (from: string, target: string) => {
    const path = locate(from, target);
    return path !== undefined && isBelow(path, folder) ? path : joinPath(folder, target.replace(/^(?:\.\.\/)+/, ''));
  };
  const toDocuments = (path: string | undefined) => (path === undefined ? [] : endings.map((ending) => path + ending));

  /** Text that other pages include is read from their places. */
  const isElsewhere = (from: string) => !isDocument(from);

  function findDocument(from: string, target: string): LinkMeaning {
    if (made.test(target.replace(/^\//, '')) || target.includes(':')) return {};
    const paths = toDocuments(locateDocument(from, target));
    return { paths, isOpen: isElsewhere(from) };
  }

  /** Who links to a document as to a label forgot what a label is. */
  const isNameOfDocument = (from: string, target: string) =>
    toDocuments(locateDocument(from, target)).some((path) => tree.paths.has(path));

  function findFile(from: string, target: string): LinkMeaning {
    const path = locate(from, target);
    if (path === undefined || external.test(target) || /[{}|$]/.test(target)) return {};
    // Sphinx takes the best format for each builder.
    const paths = target.endsWith('.*') ? listBeside(path.slice(0, -1)) : [path];
    return { paths: paths.length > 0 ? paths : [path], isOpen: isElsewhere(from) };
  }

  const listBeside = (start: string) => tree.below(folderOf(start)).filter((path) => path.startsWith(start));

  /** Markdown, and addresses of HTML. */
  function findOther(from: string, written: string): LinkMeaning | undefined {
    if (external.test(written)) return undefined;
    const [address = '', anchor = ''] = written.split('#', 2);
    const target = decodeAddress(address.split('?', 1)[0] ?? '');
    const isMarkdown = from.endsWith('.md');
    if (target === '') return isMarkdown ? { label: normalizeLabel(anchor), isOpen: true } : {};
    const path = locate(from, target);
    if (path === undefined) return {};
    const isFile = isMarkdown && /\.\w+$/.test(target) && !target.endsWith('.html');
    const documents = toDocuments(path.replace(/\.html$|\/$/, ''));
    return {
      paths: [
        path,
        ...(isFile ? [] : [...documents, ...documents.map((each) => each.replace(/(\.\w+)$/, '/index$1'))]),
      ],
      ...(isMarkdown && { label: normalizeLabel(target) }),
      anchor,
      isOpen: !isFile || isElsewhere(from),
    };
  }

  return {
    findMeaning({ target, form, from }) {
      switch (form) {
        case 'document':
          return findDocument(from, target);
        case 'label':
          return made.test(target) || target.includes(':')
            ? { label: normalizeLabel(target), isOpen: true }
            : { label: normalizeLabel(target), isOpen: hasOpenLabels && !isNameOfDocument(from, target) };
        case 'path':
          return findFile(from, target);
        case 'attribute':
        case 'yaml':
          return undefined;
        default:
          return findOther(from, target);
      }
    },
    readEntry(file, { target, isPattern }) {
      if (made.test(target)) return [];
      const path = locateDocument(file, target.replace(/\.(?:rst|md|ipynb)$/, ''));
      if (path === undefined) return [];
      if (!isPattern) return [{ target: path, means: toDocuments(path) }];
      const matches = createPatternTest(path);
      const pages = tree.below(folder).filter((each) => isDocument(each) && matches(each.replace(/\.\w+$/, '')));
      return pages.map((page) => ({ target: page, means: [page] }));
    },
  };
}

/** One star stands for any part of a name. With other patterns, all pages below the plain names at the start count as listed. */
function createPatternTest(pattern: string): (path: string) => boolean {
  const names = pattern.split('/');
  const other = names.findIndex((name) => name.includes('**') || /[?[]/.test(name));
  if (other >= 0)
    return (path) => names.slice(0, other).every((name, at) => matchesName(name, path.split('/')[at] ?? ''));
  return (path) => {
    const own = path.split('/');
    return own.length === names.length && names.every((name, at) => matchesName(name, own[at] ?? ''));
  };
}

function matchesName(pattern: string, name: string): boolean {
  const [head = '', ...rest] = pattern.split('*');
  const tail = rest.pop();
  if (tail === undefined) return pattern === name;
  if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > name.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}
