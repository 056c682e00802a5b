import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, 'site');

/**
 * The files of a small documentation site about "Acme Relay": path with slashes → content. The content of a repository for a
 * demo or a test. It has gaps to be found: the rate limits page still says 60 requests per minute although the errors page and
 * the changelog say 100, and the errors page leaves 413 and 429 out.
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
