import type { Framework } from '../framework.ts';

/** https://docsify.js.org/#/quickstart */
export const docsify: Framework = {
  name: 'Docsify',
  markers: [{ path: 'index.html', contains: /docsify/i }],
  dialect: { vue: true, templates: [{ language: 'docsify' }] },
};

/** https://mdsvex.pngwn.io/docs */
export const mdsvex: Framework = {
  name: 'mdsvex',
  markers: ['svelte.config.js', 'svelte.config.ts'].map((path) => ({ path, contains: /mdsvex/ })),
  dialect: { svelte: true },
};
