import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, 'site');

/**
 * The files of a small documentation site about "Acme Relay", path with slashes → content, for the repository of a demo or a test. The site
 * has mistakes on purpose: the rate limits page says 60 requests per minute although the errors page and the changelog say 100, and the
 * errors page leaves out 413 and 429.
 */
export async function readSite(): Promise<Record<string, Buffer>> {
  const site: Record<string, Buffer> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    site[relative(root, path).split(sep).join('/')] = await readFile(path);
  }
  return site;
}
