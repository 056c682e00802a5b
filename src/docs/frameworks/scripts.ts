import { type FileTree, joinPath } from '../tree.ts';

const extensions = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'jsx', 'tsx'];

/** `astro.config` → `astro.config.js`, `astro.config.mjs`, … */
export const scriptNames = (...stems: string[]): string[] =>
  stems.flatMap((stem) => extensions.map((extension) => `${stem}.${extension}`));

/** The first script of a folder that exists. */
export const findScript = (tree: FileTree, folder: string, ...stems: string[]): string | undefined =>
  scriptNames(...stems)
    .flatMap((name) => joinPath(folder, name) ?? [])
    .find((path) => tree.paths.has(path));

export const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);
