import type { NavigationEntry } from '../frameworks/site-rules.ts';

/** The folder that a meaning of an entry names; undefined for a file or an address. */
export const folderIn = (meaning: string): string | undefined => /^([^/].*)\/$/.exec(meaning)?.[1];

/** Whether an entry stands for all pages of a folder. */
export const isOfFolder = ({ means }: NavigationEntry): boolean =>
  means.every((meaning) => folderIn(meaning) !== undefined);
