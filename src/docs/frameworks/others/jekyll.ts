import { wholeFile } from '../edits/data-files.ts';
import { namesRules } from '../edits/rules.ts';
import { type Framework, markedBy } from '../framework.ts';
import { scriptNames } from '../scripts.ts';

/** https://jekyllrb.com/docs/datafiles/ */
export const jekyll: Framework = {
  name: 'Jekyll',
  markers: markedBy('_config.yml', '_config.yaml', '_config.toml'),
  data: [wholeFile(/^_data\/.+\.ya?ml$/, 'yaml', namesRules), wholeFile(/^_data\/.+\.json$/, 'json', namesRules)],
  dialect: { templates: [{ language: 'liquid' }], markdown: 'kramdown' },
  templates: [/^_(?:sass|plugins)\//],
  built: /^_site\//,
};

/** https://www.11ty.dev/docs/config/ */
export const eleventy: Framework = {
  name: 'Eleventy',
  markers: markedBy('.eleventy.js', ...scriptNames('eleventy', 'eleventy.config', '.eleventy.config')),
  dialect: { templates: [{ language: 'liquid' }] },
};
