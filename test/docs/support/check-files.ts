import { type Checked, checkChange } from '../../../src/docs/check-change.ts';
import { createDocumentation, type Documentation } from '../../../src/docs/documentation.ts';
import { createTree, type FileTree } from '../../../src/docs/tree.ts';

export type Files = Record<string, string>;

/** Files without text, by their paths. */
export const empty = (paths: string): Files => Object.fromEntries(paths.split(' ').map((path) => [path, '']));

export const toTree = (files: Files): FileTree =>
  createTree({ paths: new Set(Object.keys(files)), read: (path) => files[path] });

/** A documentation that nothing changes. */
export const openTree = (tree: FileTree): Documentation =>
  createDocumentation({ base: tree, head: tree }).with(new Map());

/** `change`: null for a file that is deleted. */
export function checkFiles(base: Files, change: Record<string, string | null>): Checked {
  const head = Object.entries({ ...base, ...change }).filter((entry): entry is [string, string] => entry[1] !== null);
  return checkChange({ base: toTree(base), head: toTree(Object.fromEntries(head)) });
}

export const listProblems = (base: Files, change: Record<string, string | null>): string[] =>
  checkFiles(base, change).problems.map(
    ({ file, line, kind, severity, message }) => `${severity} ${kind} ${file}:${line} ${message}`,
  );
