import { slug } from 'github-slugger';

/** Makes the anchor of a heading's text. */
export type Slug = (text: string) => string;

export const githubSlug: Slug = (text) => slug(text);
