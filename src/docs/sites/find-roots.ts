import type { Framework } from '../frameworks/framework.ts';
import { frameworks } from '../frameworks/frameworks.ts';
import { findMarked } from '../frameworks/marked.ts';
import type { FileTree } from '../tree.ts';

/** The folders that hold sites, by framework, in the order of the frameworks. */
export function findSiteRoots(tree: FileTree): Map<Framework, string[]> {
  const marked = new Map<Framework, Set<string>>();
  for (const path of tree.paths) {
    for (const { framework, marker, root } of findMarked(path)) {
      const isRoot = marker.contains?.test(tree.read(path) ?? '') ?? true;
      if (framework.sites && isRoot && !marker.isOfPages)
        marked.set(framework, (marked.get(framework) ?? new Set()).add(root));
    }
  }
  return new Map(
    frameworks.flatMap((framework) => {
      const folders = [...(marked.get(framework) ?? [])];
      const roots = framework.sites?.findRoots?.(tree, folders) ?? folders;
      return roots.length > 0 ? [[framework, roots]] : [];
    }),
  );
}
