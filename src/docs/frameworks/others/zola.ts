import type { Framework } from '../framework.ts';

/** https://www.getzola.org/documentation/getting-started/configuration/ */
export const zola: Framework = {
  name: 'Zola',
  markers: [{ path: 'config.toml', contains: /^base_url\s*=/m }],
  dialect: { templates: [{ language: 'zola' }] },
};
