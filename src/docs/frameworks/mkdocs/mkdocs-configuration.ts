import { isMap, type Scalar } from 'yaml';
import { readYaml, textOf } from '../../formats/yaml.ts';
import { type FileTree, folderOf, joinPath } from '../../tree.ts';

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
