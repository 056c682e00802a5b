import { type FileTree, joinPath } from '../../tree.ts';

const importedPart = /^import\s+(\w+)\s+from\s+['"]@site\/([^'"]+\.mdx?)['"]/gm;

const files = ['js', 'jsx', 'ts', 'tsx'].flatMap((extension) => [
  `src/theme/MDXComponents.${extension}`,
  `src/theme/MDXComponents/index.${extension}`,
]);

/** The pages that components of all pages show. https://docusaurus.io/docs/markdown-features/react#mdx-component-scope */
export function readRegisteredParts(tree: FileTree, root: string): Map<string, string[]> {
  const texts = files.flatMap((file) => tree.read(joinPath(root, file) ?? '') ?? []);
  return new Map(
    texts.flatMap((text) =>
      Array.from(
        text.matchAll(importedPart),
        ([, name = '', path = '']) => [name, [joinPath(root, path) ?? path]] as const,
      ),
    ),
  );
}
