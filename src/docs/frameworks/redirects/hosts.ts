import { containerAt, type DataFile } from '../edits/data-files.ts';
import type { EntryRules } from '../edits/entry-rules.ts';
import { redirectRules } from '../edits/rules.ts';
import type { RedirectForm } from '../framework.ts';

/** A web host that sites of any framework may use. */
interface Host {
  /** At the root of a site, and of the repository. */
  data: DataFile;
  redirectForms: readonly RedirectForm[];
}

/** Pairs of addresses that a script of the site makes redirects of: a list of objects, or a map. */
const pairRules: EntryRules = {
  ...redirectRules,
  keys: [...redirectRules.keys, 'old', 'new', 'target', 'path', 'redirect'],
  otherKeys: /^\/[\w./~%#?=&:*+-]*$/,
};

const pairsOf = (path: RegExp, format: 'json' | 'yaml'): Host => ({
  data: {
    path,
    format,
    what: 'its redirects',
    containers: [containerAt(pairRules)],
  },
  redirectForms: [],
});

/** `host-redirects.ts` reads their files. */
export const hosts: readonly Host[] = [
  {
    data: {
      path: /^netlify\.toml$/,
      format: 'toml',
      what: 'its redirects',
      containers: [containerAt(redirectRules, 'redirects')],
    },
    redirectForms: [
      {
        file: /^netlify\.toml$/,
        write: (from, to) => `[[redirects]]\nfrom = "${from.address}"\nto = "${to.address}"`,
      },
    ],
  },
  {
    data: {
      path: /^vercel\.json$/,
      format: 'json',
      what: 'its redirects',
      containers: [containerAt(redirectRules, 'redirects')],
    },
    redirectForms: [
      {
        file: /^vercel\.json$/,
        write: (from, to) =>
          `"redirects": [{ "source": "${from.address}", "destination": "${to.address}", "permanent": true }]`,
      },
    ],
  },
  {
    data: {
      path: /^(?:(?:static|public)\/)?_redirects$/,
      format: 'redirects',
      what: 'its redirects',
      containers: [],
    },
    redirectForms: [{ file: /^_redirects$/, write: (from, to) => `${from.address} ${to.address} 301` }],
  },
  pairsOf(/(?:^|\/)_?redirects\.json$/, 'json'),
  pairsOf(/(?:^|\/)_?redirects\.ya?ml$/, 'yaml'),
];
