import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const root = join(import.meta.dirname, 'site');

/**
 * A documentation site about "Acme Relay", path → content. It has mistakes on purpose: a page with a wrong rate limit, an errors page
 * without 413 and 429.
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
