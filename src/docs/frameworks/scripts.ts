import { type Literal, readScript, type Script } from '../formats/javascript.ts';
import { type FileTree, joinPath } from '../tree.ts';
import type { NavigationEntry } from './site-rules.ts';

const extensions = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'jsx', 'tsx'];

/** `astro.config` → `astro.config.js`, `astro.config.mjs`, … */
export const scriptNames = (...stems: string[]): string[] =>
  stems.flatMap((stem) => extensions.map((extension) => `${stem}.${extension}`));

/** The first script of a folder that exists. */
export const findScript = (tree: FileTree, folder: string, ...stems: string[]): string | undefined =>
  scriptNames(...stems)
    .flatMap((name) => joinPath(folder, name) ?? [])
    .find((path) => tree.paths.has(path));

/** An entry whose target a script writes so. */
export const toEntry = (
  { value: target, line, start, end }: Literal,
  { file, means, isCode = true }: { file: string; means: readonly string[]; isCode?: boolean },
): NavigationEntry => ({ target, means, file, line, start, end, isCode });

export const isScript = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

/** The scripts of the repository that a configuration in `folder` imports. */
export const readImportedScripts = (tree: FileTree, folder: string, { strings }: Script): Script[] =>
  strings
    .filter(({ keys, value }) => keys.length === 0 && /^\.{1,2}\//.test(value))
    .flatMap(({ value }) => {
      const path = joinPath(folder, value) ?? '';
      const file = tree.paths.has(path) ? path : findScript(tree, '', path, `${path}/index`);
      return file !== undefined && isScript(file) ? [readScript(tree.read(file))] : [];
    });

/** Whether a configuration has a plugin for formulas. https://github.com/remarkjs/remark-math, https://nextra.site/docs/guide/advanced/latex */
export const hasMath = (text: string): boolean => /remark-math|remarkMath|\blatex\s*:\s*(?:true|\{)/.test(text);
