import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/**
 * A documentation site, path → content. `site` is about "Acme Relay" and has mistakes on purpose: a page with a wrong rate limit, an errors
 * page without 413 and 429. `vitepress-site` is about its command line; its sidebar is TypeScript.
 */
export async function readSite(name: 'site' | 'vitepress-site' = 'site'): Promise<Record<string, Buffer>> {
  const root = join(import.meta.dirname, name);
  const site: Record<string, Buffer> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    site[relative(root, path).split(sep).join('/')] = await readFile(path);
  }
  return site;
}
