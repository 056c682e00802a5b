import type { Framework } from '../framework.ts';

/** https://mdsvex.pngwn.io/docs */
export const mdsvex: Framework = {
  name: 'mdsvex',
  markers: ['svelte.config.js', 'svelte.config.ts'].map((path) => ({ path, contains: /mdsvex/ })),
  dialect: { svelte: true, markdown: 'unindented', copiesFiles: true },
};
