import type { CodeFile } from './edits/code-files.ts';
import type { DataFile } from './edits/data-files.ts';
import { frameworks } from './frameworks.ts';
import { hosts } from './redirects/hosts.ts';
import { summaryFile } from './summary-entries.ts';

// A place in these lists names a file where its rules cannot go, as between threads: they hold functions.

export const dataFiles: readonly DataFile[] = [
  summaryFile,
  ...hosts.map(({ data }) => data),
  ...frameworks.flatMap(({ data = [], configurationParts }) => [
    ...data,
    ...(configurationParts ? [configurationParts.file] : []),
  ]),
];

export const codeFiles: readonly CodeFile[] = frameworks.flatMap(({ code }) =>
  code ? [...code.files, code.imported] : [],
);
