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
