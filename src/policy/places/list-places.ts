import { posix } from 'node:path';

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
