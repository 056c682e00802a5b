import { containerAt } from '../edits/data-files.ts';
import { redirectRules } from '../edits/rules.ts';
import type { Framework } from '../framework.ts';
import { openSphinx } from './open-sphinx.ts';

/** https://www.sphinx-doc.org/en/master/usage/configuration.html */
export const sphinx: Framework = {
  name: 'Sphinx',
  markers: [{ path: 'conf.py' }],
  sites: { open: openSphinx },
  // https://myst-parser.readthedocs.io/en/latest/syntax/optional.html#substitutions-with-jinja2
  dialect: {
    copiesFiles: true,
    templates: [
      { language: 'liquid', contains: /substitution/, only: 'markdown' },
      // https://www.sphinx-doc.org/en/master/extdev/event_callbacks.html#event-source-read
      { language: 'liquid', contains: /source-read|include-read|render_string/ },
    ],
  },
  templates: [/(?:^|\/)_templates\//, /^_(?:ext|themes?)\//],
  // https://www.sphinx-doc.org/en/master/usage/advanced/intl.html
  translations: /(?:^|\/)locales?\/[^/]+\/lc_messages\/(?:[^/]+\/){0,9}[^/]+\.pot?$/,
  data: [
    {
      path: /^conf\.py$/,
      format: 'python',
      what: 'its redirects',
      containers: [containerAt(redirectRules, 'redirects')],
    },
  ],
  redirectForms: [
    {
      file: /^conf\.py$/,
      isRelative: true,
      write: (from, to) => `"${from.address.slice(1)}": "${to.address.slice(1)}.html"`,
    },
  ],
};
