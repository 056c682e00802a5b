import type { Framework } from '../framework.ts';
import { openDocsify } from './open-docsify.ts';

/** https://docsify.js.org/#/quickstart */
export const docsify: Framework = {
  name: 'Docsify',
  markers: [{ path: 'index.html', contains: /docsify/i }],
  sites: { open: (tree, root) => [openDocsify(tree, root)] },
  dialect: { vue: 'optional', templates: [{ language: 'docsify' }] },
};
