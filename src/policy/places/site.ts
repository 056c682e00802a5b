import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { parseDocument } from 'yaml';
import type { BaseFiles } from '../base-files.ts';
import { type CodeFile, type CodeFileName, codeFiles } from '../code/code-files.ts';
import type { DataFile } from '../data/data-files.ts';
import { referencedRules } from '../data/data-files.ts';
import { listSides } from '../data/list-sides.ts';
import { type Framework, frameworks, hostFiles, summaryFile, summaryPath } from './frameworks.ts';
import { findImportedCode } from './imported-code.ts';
import { plainName } from './plain-name.ts';

/** The documentation sites of the base. All paths are in lower case. */
export interface Site {
  findDataFile(name: string): DataFile | undefined;
  findCodeFile(name: string): CodeFileName | undefined;
  isTemplate(name: string): boolean;
  /** Whether pages may be written as .txt there, as in MongoDB's or Django's documentation. */
  hasTextPages(name: string): boolean;
  isSphinx: boolean;
}

interface Root {
  folder: string;
  framework: Framework;
}

export async function readSite(base: BaseFiles): Promise<Site> {
  const { roots, textFolders } = await findRoots(base.files.keys());
  const templateFolders = await readThemeFolders(base, roots);
  const references = await readReferences(base, roots);
  const importedCode = await findImportedCode(base, roots, findOwnCode);
  const rootFolders = new Set(['', ...roots.map(({ folder }) => folder)]);

  return {
    findDataFile(name) {
      if (summaryPath.test(name)) return summaryFile;
      const own = roots
        .filter(({ folder }) => name.startsWith(folder))
        .flatMap(({ folder, framework }) => framework.files?.filter(({ path }) => path.test(name.slice(folder.length))))
        .find((file) => file !== undefined);
      return own ?? references.get(name) ?? findHostFile(name);
    },
    findCodeFile: (name) => findOwnCode(name) ?? importedCode.get(name),
    isTemplate: (name) =>
      templateFolders.some((folder) => name.startsWith(folder)) ||
      roots.some(
        ({ folder, framework }) =>
          name.startsWith(folder) && framework.templates?.some((path) => path.test(name.slice(folder.length))),
      ),
    hasTextPages: (name) => textFolders.some((folder) => name.startsWith(folder)),
    isSphinx: roots.some(({ framework }) => framework.name === 'Sphinx'),
  };

  function findOwnCode(name: string): CodeFileName | undefined {
    const inFolder = roots.filter(({ folder }) => name.startsWith(folder));
    for (const { folder, framework } of inFolder) {
      const found = framework.code?.files.find((each) => pathOf(codeFiles[each])?.test(name.slice(folder.length)));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function findHostFile(name: string): DataFile | undefined {
    const folder = [...rootFolders].find((root) =>
      hostFiles.some(({ path }) => name.startsWith(root) && path.test(name.slice(root.length))),
    );
    return folder === undefined ? undefined : hostFiles.find(({ path }) => path.test(name.slice(folder.length)));
  }
}

const pathOf = ({ path }: CodeFile): RegExp | undefined => path;

const pathsAtOnce = 2_000;

/** Also the folders that hold the start page of a site of .txt files. */
async function findRoots(paths: Iterable<string>): Promise<{ roots: Root[]; textFolders: string[] }> {
  const roots: Root[] = [];
  const textFolders: string[] = [];
  let count = 0;
  for (const path of paths) {
    count += 1;
    if (count % pathsAtOnce === 0) await yieldToEventLoop();
    const last = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    const isMarker = anyMarker.test(last);
    const isTextStart = last === 'index.txt' || last === 'contents.txt';
    if (!isMarker && !isTextStart) continue;
    const name = plainName(path);
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    if (isTextStart) textFolders.push(folder);
    for (const framework of frameworks) {
      const root = framework.marker.test(last) ? findRootFolder(folder, framework.under) : undefined;
      if (root !== undefined) roots.push({ folder: root, framework });
    }
  }
  return { roots, textFolders };
}

const anyMarker = new RegExp(frameworks.map(({ marker }) => marker.source).join('|'));

function findRootFolder(folder: string, under: string | undefined): string | undefined {
  if (under === undefined) return folder;
  const isUnder = folder === `${under}/` || folder.endsWith(`/${under}/`);
  return isUnder ? folder.slice(0, folder.length - under.length - 1) : undefined;
}

const themeSection = /^(["']?)theme\1 *:.*(?:\n(?:[ \t#].*)?)*/m;

/** MkDocs renders templates of `theme.custom_dir`, also those that a page names: https://www.mkdocs.org/user-guide/writing-your-docs/#meta-data */
async function readThemeFolders(base: BaseFiles, roots: readonly Root[]): Promise<string[]> {
  const folders: string[] = [];
  for (const [folder, text] of await readMarkers(base, roots, 'MkDocs')) {
    for (const side of listSides(text)) {
      // The section alone: the whole file may take the parser a tenth of a second.
      const section = themeSection.exec(side.replaceAll('\r\n', '\n'))?.[0] ?? '';
      const theme: unknown = parseDocument(section, { logLevel: 'silent', uniqueKeys: false }).getIn([
        'theme',
        'custom_dir',
      ]);
      if (typeof theme === 'string') folders.push(`${plainName(joinPath(folder, theme))}/`);
    }
  }
  return folders;
}

/** Mintlify splits navigation and redirects: https://www.mintlify.com/docs/organize/settings#$ref */
async function readReferences(base: BaseFiles, roots: readonly Root[]): Promise<Map<string, DataFile>> {
  const found = new Map<string, DataFile>();
  for (const [folder, text] of await readMarkers(base, roots, 'Mintlify')) {
    for (const [, file = ''] of text.matchAll(/"\$ref"\s*:\s*"([^"\\]+\.json)"/g)) {
      const rules = { ...referencedRules, at: [] };
      found.set(plainName(joinPath(folder, file)), { format: 'json', what: 'its entries', containers: [rules] });
    }
  }
  return found;
}

async function readMarkers(base: BaseFiles, roots: readonly Root[], framework: string): Promise<[string, string][]> {
  const wanted = roots.filter((root) => root.framework.name === framework);
  if (wanted.length === 0) return [];
  const paths = Array.from(base.files.keys()).filter((path) => {
    const name = plainName(path);
    return wanted.some(
      ({ folder, framework: { marker } }) => name.startsWith(folder) && marker.test(name.slice(folder.length)),
    );
  });
  const texts = await base.readTexts(paths);
  return Array.from(texts, ([path, text]) => [path.slice(0, path.lastIndexOf('/') + 1), text]);
}

/** Resolves `.` and `..`; what would leave the repository names nothing in it. */
function joinPath(folder: string, path: string): string {
  const names: string[] = [];
  for (const name of `${folder}${path}`.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}
