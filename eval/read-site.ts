import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Files } from './checks/outcome.ts';
import { merge, type Task } from './tasks/task.ts';

const sites = join(import.meta.dirname, 'sites');

export const listSites = () => readdir(sites);

/** All files of a site are text. */
export async function readSite(name: string): Promise<Files> {
  const root = join(sites, name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = await Promise.all(
    paths.map(async (path) => [relative(root, path).split(sep).join('/'), await readFile(path, 'utf8')] as const),
  );
  return new Map(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The site as it is written, and as the agent finds it; the code before anything of the task is merged. */
export async function readTaskFiles({
  site: name,
  spoil = (files) => files,
  follows,
}: Task): Promise<{ site: Files; before: Files; code: Files }> {
  const site = await readSite(name);
  const spoilt = spoil(site);
  if (follows === undefined) return { site, before: spoilt, code: new Map() };
  const isShared = follows.code === name;
  const code = isShared ? spoilt : await readSite(follows.code);
  return { site, before: isShared ? follows.merged.reduce(merge, code) : spoilt, code };
}
