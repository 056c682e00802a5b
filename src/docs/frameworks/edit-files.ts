import type { CodeFile } from './edits/code-files.ts';
import { frameworks } from './frameworks.ts';

/** A place in this list names a file where its rules cannot go, as between threads: they hold functions. */
export const codeFiles: readonly CodeFile[] = frameworks.flatMap(({ code }) =>
  code ? [...code.files, code.imported] : [],
);
