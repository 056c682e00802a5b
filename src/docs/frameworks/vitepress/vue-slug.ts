import type { Slug } from '../../pages/slugs.ts';

/** https://github.com/mdit-vue/mdit-vue/tree/main/packages/shared */
export const vueSlug: Slug = (text) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/\p{Cc}]+/gu, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase();
