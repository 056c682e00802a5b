import { isMap, isSeq, type Scalar } from 'yaml';
import { readYaml, textOf } from '../../formats/yaml.ts';
import { type FileTree, folderOf, isBelow, joinPath, relativeTo } from '../../tree.ts';

interface MkDocsSetting {
  node: unknown;
  file: string;
  text: string;
  locate(node: Scalar): { line: number; start: number; end: number };
}

export interface MkDocsConfiguration {
  /** The site's own first, then those that it inherits from. */
  files: string[];
  faults: { file: string; line: number; message: string }[];
  find(key: string): MkDocsSetting | undefined;
}

const maxFiles = 5;

/** Follows `INHERIT`, which is relative to the file that has it. https://www.mkdocs.org/user-guide/configuration/#configuration-inheritance */
export function readMkDocsConfiguration(tree: FileTree, main: string): MkDocsConfiguration {
  const layers: (MkDocsSetting & { fault: { line: number; message: string } | undefined })[] = [];
  let file: string | undefined = main;
  while (file !== undefined && tree.paths.has(file) && layers.length < maxFiles) {
    if (layers.some((layer) => layer.file === file)) break;
    const text = tree.read(file) ?? '';
    const { document, fault, locate } = readYaml(text);
    layers.push({ node: document.contents, file, text, locate, fault });
    const parent = isMap(document.contents) ? textOf(document.contents.get('INHERIT')) : undefined;
    file = parent === undefined ? undefined : joinPath(folderOf(file), parent);
  }
  return {
    files: layers.map((layer) => layer.file),
    faults: layers.flatMap((layer) =>
      layer.fault
        ? [{ file: layer.file, line: layer.fault.line, message: `not valid YAML: ${layer.fault.message}` }]
        : [],
    ),
    find(key) {
      for (const layer of layers) {
        const node = isMap(layer.node) ? layer.node.get(key, true) : undefined;
        if (node !== undefined) return { node, file: layer.file, text: layer.text, locate: layer.locate };
      }
      return undefined;
    },
  };
}

interface MkDocsLanguages {
  languages: { code: string; folder: string | undefined }[];
  defaultCode: string | undefined;
  /** The path in the site: `guide.fr.md` → `fr/guide.md`; the default language has no folder. */
  toAddressPath(below: string): string;
  isTranslation(below: string): boolean;
  /** Fallbacks for a file that a language lacks, or for a path without a language. */
  listOtherFiles(path: string): string[];
  /** The files of an entry in the navigation. */
  listTranslations(path: string): string[];
}

/** https://ultrabug.github.io/mkdocs-static-i18n/getting-started/quick-start/ */
export function createMkDocsLanguages(
  readOption: ((key: string) => unknown) | undefined,
  folder: string,
): MkDocsLanguages {
  const list = readOption?.('languages');
  const items = isSeq(list) ? list.items.filter(isMap) : [];
  const codes = items.flatMap((item) => textOf(item.get('locale')) ?? []);
  const chosen = items.find((item) => item.get('default') === true);
  const defaultCode = (chosen && textOf(chosen.get('locale'))) ?? codes[0];
  const inFolders = textOf(readOption?.('docs_structure')) === 'folder';
  const others = codes.filter((code) => code !== defaultCode);
  const at = (code: string | undefined, below: string) =>
    joinPath(folder, inFolders ? `${code}/${below}` : withSuffix(below, code)) ?? '';

  /** The language of a path, and the path without it. */
  function split(below: string): { code: string | undefined; plain: string } {
    const suffix = /\.([^./]+)\.\w+$/.exec(below)?.[1];
    const found = codes.find((code) => (inFolders ? isBelow(below, code) : suffix === code));
    if (found === undefined) return { code: undefined, plain: below };
    return { code: found, plain: inFolders ? relativeTo(below, found) : below.replace(`.${found}.`, '.') };
  }

  return {
    languages: codes.map((code) => ({ code, folder: inFolders ? joinPath(folder, code) : undefined })),
    defaultCode,
    toAddressPath(below) {
      const { code, plain } = split(below);
      return code === undefined || code === defaultCode ? plain : `${code}/${plain}`;
    },
    isTranslation: (below) => others.includes(split(below).code ?? ''),
    listOtherFiles(path) {
      if (codes.length === 0 || !isBelow(path, folder)) return [];
      const { plain } = split(relativeTo(path, folder));
      return [at(defaultCode, plain), joinPath(folder, plain) ?? '', ...others.map((code) => at(code, plain))];
    },
    listTranslations: (path) => (codes.length === 0 ? [] : [at(defaultCode, relativeTo(path, folder))]),
  };
}

const withSuffix = (below: string, code: string | undefined) => below.replace(/(\.\w+)$/, `.${code}$1`);
