import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CodeFile, DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { codeFiles } from '../../docs/frameworks/frameworks.ts';
import { hosts } from '../../docs/frameworks/redirects/host-redirects.ts';
import { summaryFile } from '../../docs/frameworks/summary-entries.ts';
import type { BaseFiles } from '../base-files.ts';
import { type Dialect, describeDialect } from '../pages/readers/dialect.ts';
import { plainName } from './file-types.ts';
import { findRoots, type Root } from './find-roots.ts';

/** What the frameworks of the base make of its paths. All names are plain. */
export interface Layout {
  findDataFile(name: string): DataFile | undefined;
  findCodeFile(name: string): CodeFile | undefined;
  isTemplate(name: string): boolean;
  /** Whether a build makes the file. */
  isBuilt(name: string): boolean;
  isTranslation(name: string): boolean;
  /** Whether pages may be written as .txt there. */
  hasTextPages(name: string): boolean;
  /**
   * How sites may read a page: as every framework above it does, and every one whose configuration leads to it from beside; or else as
   * any framework of the repository.
   */
  findDialect(name: string): Dialect;
}

export async function readLayout(base: BaseFiles): Promise<Layout> {
  const { roots, parts, textFolders } = await findRoots(base);
  const above = (name: string) => roots.filter(({ folder }) => name.startsWith(folder));
  const importedCode = await findImportedCode(base, roots, findOwnCode);
  const hostFolders = new Set(['', ...roots.map(({ folder }) => folder)]);

  return {
    findDataFile(name) {
      if (summaryFile.path?.test(name)) return summaryFile;
      const own = above(name).flatMap((root) =>
        (root.framework.data ?? []).filter(({ path }) => path?.test(belowRoot(root, name))),
      );
      return own[0] ?? parts.get(name) ?? findHostFile(name);
    },
    findCodeFile: (name) => findOwnCode(name) ?? importedCode.get(name),
    isTemplate: (name) =>
      roots.some(({ templateFolders }) => templateFolders.some((folder) => name.startsWith(folder))) ||
      above(name).some((root) => root.framework.templates?.some((path) => path.test(belowRoot(root, name)))),
    isBuilt: (name) => above(name).some((root) => root.framework.built?.test(belowRoot(root, name))),
    isTranslation: (name) => roots.some(({ framework: { translations } }) => translations?.test(name)),
    hasTextPages: (name) => textFolders.some((folder) => name.startsWith(folder)),
    findDialect(name) {
      const near = roots.filter(
        ({ folder, outside }) => name.startsWith(folder) || outside.some((each) => name.startsWith(each)),
      );
      return describeDialect(name, near.length > 0 ? near : roots);
    },
  };

  function findOwnCode(name: string): CodeFile | undefined {
    const own = above(name).flatMap((root) =>
      (root.framework.code?.files ?? []).filter(({ path }) => path?.test(belowRoot(root, name))),
    );
    return codeFiles.find((file) => own.includes(file));
  }

  function findHostFile(name: string): DataFile | undefined {
    const inFolders = [...hostFolders].filter((folder) => name.startsWith(folder));
    return hosts
      .map(({ data }) => data)
      .find(({ path }) => inFolders.some((folder) => path?.test(name.slice(folder.length))));
  }
}

const belowRoot = ({ folder }: Root, name: string): string => name.slice(folder.length);

/** Files by their own name, or by the folder that they are in: a part of navigation, or a language. */
const navigationName =
  /nav|side|menu|footer|redirect|rewrite|config|locale|i18n|(?:^|\/)[a-z]{2}(?:[-_][a-z]{2,4})?(?:\/index)?\.[^/.]+$/;
const endOfPath = (name: string) => name.split('/').slice(-2).join('/');
const importing = /(?:\bfrom|\bimport|\brequire\()\s{0,20}\(?["'](\.{1,2}\/[^"'\n]{1,200})["']/g;
const endings = [
  '',
  ...['ts', 'js', 'mts', 'mjs', 'cts', 'cjs', 'tsx', 'jsx'].flatMap((end) => [`.${end}`, `/index.${end}`]),
];

const code = /\.[cm]?[jt]sx?$/i;
const pathsAtOnce = 2_000;

const maxSteps = 3;
const maxFiles = 60;

/** The files from which the configuration of a site imports its navigation, by plain name. */
async function findImportedCode(
  base: BaseFiles,
  roots: readonly Root[],
  findOwn: (name: string) => CodeFile | undefined,
): Promise<Map<string, CodeFile>> {
  const found = new Map<string, CodeFile>();
  const withCode = roots.filter(({ framework }) => framework.code);
  if (withCode.length === 0) return found;
  const seen = new Set<string>();
  let next: string[] = [];
  let count = 0;
  for (const path of base.files.keys()) {
    count += 1;
    if (count % pathsAtOnce === 0) await yieldToEventLoop();
    if (code.test(path) && next.length < maxFiles && findOwn(plainName(path)) !== undefined) next.push(path);
  }
  for (let step = 0; step < maxSteps && next.length > 0; step += 1) {
    for (const path of next) seen.add(path);
    const imported: string[] = [];
    for (const [path, text] of await base.readTexts(next)) {
      for (const [, specifier = ''] of text.matchAll(importing)) imported.push(...resolve(path, specifier));
    }
    next = [...new Set(imported)].filter((path) => !seen.has(path)).slice(0, maxFiles);
    for (const path of next) {
      const name = plainName(path);
      const root = withCode.find(({ folder }) => name.startsWith(folder));
      if (root?.framework.code && navigationName.test(endOfPath(name)) && findOwn(name) === undefined)
        found.set(name, root.framework.code.imported);
    }
  }
  return found;

  /** An ending `.js` may stand for a file of TypeScript. */
  function resolve(path: string, specifier: string): string[] {
    const target = posix.join(posix.dirname(path), specifier);
    const candidates = [target, target.replace(/\.([cm]?)js$/, '.$1ts')].flatMap((each) =>
      endings.map((ending) => `${each}${ending}`),
    );
    const file = candidates.find((each) => base.files.has(each) && code.test(each));
    return file === undefined || file.includes('node_modules/') ? [] : [file];
  }
}
