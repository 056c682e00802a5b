import { slug } from 'github-slugger';

/** Makes the anchor of a heading's text. */
export type Slug = (text: string) => string;

export const githubSlug: Slug = (text) => slug(text);

/** `make_id` of https://github.com/docutils/docutils/blob/master/docutils/docutils/nodes.py */
export const docutilsSlug: Slug = (text) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\0-\x7F]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[-\d]+/, '')
    .replace(/-$/, '');

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
