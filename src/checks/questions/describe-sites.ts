import type { Documentation } from '../documentation.ts';

/** A site of the repository, as data. */
export interface SiteOverview {
  framework: string;
  /** The folder of its configuration; empty: the repository's root. */
  root: string;
  pages: number;
}

export interface Overview {
  sites: SiteOverview[];
}

/** A question: which sites the head has. */
export const describeSites = ({ head }: Documentation): Overview => ({
  sites: head.sites
    .filter(({ pages }) => pages.size > 0)
    .map(({ framework, root, pages }) => ({ framework, root, pages: pages.size })),
});
