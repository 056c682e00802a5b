import type { CodeFile, DataFile } from '../../docs/frameworks/edits/data-files.ts';
import { codeFiles } from '../../docs/frameworks/frameworks.ts';
import { hosts } from '../../docs/frameworks/redirects/host-redirects.ts';
import { summaryFile } from '../../docs/frameworks/summary-entries.ts';
import type { BaseFiles } from '../base-files.ts';
import type { Dialect } from '../pages/readers/dialect.ts';
import { describeDialect } from './describe-dialect.ts';
import { findRoots, type Root } from './find-roots.ts';
import { findImportedCode } from './imported-code.ts';

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
