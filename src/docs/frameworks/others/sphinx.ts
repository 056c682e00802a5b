import { type Framework, markedBy } from '../framework.ts';

/** https://www.sphinx-doc.org/en/master/usage/configuration.html */
export const sphinx: Framework = {
  name: 'Sphinx',
  markers: markedBy('conf.py'),
  // https://myst-parser.readthedocs.io/en/latest/syntax/optional.html#substitutions-with-jinja2
  dialect: { copiesFiles: true, templates: [{ language: 'liquid', contains: /substitution/ }] },
  templates: [/(?:^|\/)_templates\//, /^_(?:ext|themes?)\//],
  // https://www.sphinx-doc.org/en/master/usage/advanced/intl.html
  translations: /(?:^|\/)locales?\/[^/]+\/lc_messages\/(?:[^/]+\/){0,9}[^/]+\.pot?$/,
};
