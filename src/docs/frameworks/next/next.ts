import type { CodeFile } from '../edits/code-files.ts';
import { wholeFile } from '../edits/data-files.ts';
import type { EntryRules } from '../edits/entry-rules.ts';
import { navigationRules, redirectRules } from '../edits/rules.ts';
import { isPath, isSource } from '../edits/values.ts';
import { type Framework, markedBy } from '../framework.ts';
import { scriptNames } from '../scripts.ts';
import { findContentFolder, openContentFolder, sidebarFile } from './open-content-folder.ts';

/** https://nextjs.org/docs/app/api-reference/config/next-config-js/redirects; a condition such as `has` stays as it is. */
const redirects: EntryRules = { ...redirectRules, keys: [...redirectRules.keys, 'basePath', 'locale'] };

/** A rewrite to another host would be a proxy. */
const rewrites: EntryRules = {
  keys: ['source', 'destination', 'basePath', 'locale', 'beforeFiles', 'afterFiles', 'fallback'],
  texts: ['source'],
  values: { source: isSource, destination: isPath },
};

/** Code of the site reads them: only what navigations have everywhere. */
const sidebarRules: EntryRules = {
  ...navigationRules,
  keys: [...navigationRules.keys, 'path', 'to', 'routes', 'children', 'heading', 'sectionHeader', 'hasSectionHeader'],
};

const configuration: CodeFile = {
  path: /^next\.config\.[cm]?[jt]sx?$/,
  what: 'its redirects and rewrites',
  containers: [
    { ...redirects, name: 'redirects', at: ['redirects'], canBeAdded: 'async method' },
    { ...rewrites, name: 'rewrites', at: ['rewrites'] },
  ],
};

export const nextImported: CodeFile = {
  what: 'its redirects and rewrites',
  containers: [
    { ...redirects, name: 'redirects', at: [/^export .*redirects/i] },
    { ...rewrites, name: 'rewrites', at: [/^export .*rewrites/i] },
  ],
};

/** Of sites that Nextra or Fumadocs builds on it, the configuration alone. */
export const next: Framework = {
  name: 'Next.js',
  markers: markedBy(...scriptNames('next.config')),
  sites: {
    findRoots: (tree, marked) => marked.filter((root) => findContentFolder(tree, root) !== undefined),
    open: openContentFolder,
  },
  data: [wholeFile(sidebarFile, 'json', sidebarRules)],
  code: { files: [configuration], imported: nextImported },
  built: /^\.next\//,
  redirectForms: [
    {
      file: /^next\.config\./,
      write: (from, to) =>
        `async redirects() { return [{ source: '${from.address}', destination: '${to.address}', permanent: true }]; }`,
    },
  ],
};
