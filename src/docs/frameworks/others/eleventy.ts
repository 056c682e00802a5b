import { type Framework, markedBy } from '../framework.ts';
import { scriptNames } from '../scripts.ts';

/** https://www.11ty.dev/docs/config/ */
export const eleventy: Framework = {
  name: 'Eleventy',
  markers: markedBy('.eleventy.js', ...scriptNames('eleventy', 'eleventy.config', '.eleventy.config')),
  // https://www.11ty.dev/docs/languages/markdown/#indented-code-blocks
  dialect: { markdown: 'unindented', templates: [{ language: 'liquid' }] },
};
