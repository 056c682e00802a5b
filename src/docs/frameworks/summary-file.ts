import type { DataFile } from './edits/data-files.ts';

/** SUMMARY.md is the navigation of GitBook and mdBook, wherever a root of theirs has it. */
export const summaryFile: DataFile = {
  path: /(?:^|\/)summary\.md$/,
  format: 'summary',
  containers: [],
  what: 'its list of links',
};
