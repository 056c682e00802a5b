import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isProse } from '../../docs/page-extensions.ts';
import type { BaseFiles } from '../base-files.ts';
import { findFileType } from './file-types.ts';

const named = /[\w@./-]{1,300}\.\w{1,20}/g;
const linesAtOnce = 2_000;
const longestLine = 2_000;

/** The files, no pages themselves, that a page of the base includes or quotes, each with such a page. */
export async function findIncludedFiles(base: BaseFiles): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const lines = await base.listIncludes();
  for (const [index, { path, line }] of lines.entries()) {
    if (index % linesAtOnce === 0) await yieldToEventLoop();
    for (const target of listNames(line)) {
      if (isProse(target)) continue;
      for (const place of listPlaces(path, target)) if (base.files.has(place)) found.set(place, path);
    }
  }
  return found;
}

const maxReaders = 200;

/**
 * A file, no page, that may read the one at `path`. Of data, every file that has its name; of code, whose names repeat (`main.rs`), the
 * configurations and scripts that name its path.
 */
export async function findOtherReader(base: BaseFiles, path: string): Promise<string | undefined> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const others = (await base.findOthers(name)).filter((other) => other !== path);
  if (findFileType(name) !== 'code') return others[0];
  const readers = others.filter((other) => findFileType(other) !== 'code');
  if (readers.length > maxReaders) return readers[0];
  for (const [reader, text] of await base.readTexts(readers)) {
    const lines = text.split('\n').filter((line) => line.includes(name));
    if (lines.some((line) => listNames(line).some((target) => listPlaces(reader, target).includes(path))))
      return reader;
  }
  return undefined;
}

const listNames = (line: string): string[] => Array.from(line.slice(0, longestLine).matchAll(named), ([name]) => name);

/** Where a build may find what a page includes. Nothing, if a build could look for it outside of the repository. */
export function listPlaces(page: string, target: string): string[] {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target) || machineFolder.test(target) || /[\\~$%{}*?]/.test(target))
    return [];
  return ['.', ...listFolders(page)].map((folder) => posix.join(folder, target.replace(/^(@site|@|~)?\//, '')));
}

/** A path that begins so names a file of the machine for those builders that take it as it is. */
const machineFolder =
  /^\/+(?:etc|proc|sys|root|home|usr|var|dev|run|opt|tmp|boot|mnt|srv|users|private|github|s?bin|lib\w*|media|builds?|repos?|works?(?:space)?s?|app|data|vercel)\//i;

/** Every folder above a page: frameworks resolve an include against one or the other. */
const listFolders = (page: string): string[] =>
  page.split('/').flatMap((_, index, parts) => (index === 0 ? [] : parts.slice(0, index).join('/')));
