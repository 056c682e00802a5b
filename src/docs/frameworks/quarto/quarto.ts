import { type Framework, markedBy } from '../framework.ts';

/** Quarto, and R Markdown, whose sites are marked by other files. https://quarto.org/docs/reference/ */
export const quarto: Framework = {
  name: 'Quarto',
  markers: markedBy('_quarto.yml', '_quarto.yaml', '_bookdown.yml', '_site.yml'),
  dialect: {
    markdown: 'pandoc',
    cells: 'braced',
    math: 'always',
    copiesFiles: true,
    templates: [{ language: 'quarto' }],
  },
  templates: [/^_extensions\//],
  built: /^(?:_site|_book|_freeze|docs\/site_libs)\//,
};
