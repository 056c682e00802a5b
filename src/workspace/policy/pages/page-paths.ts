/** The extensions of pages, and of their translations, in lower case. */
const extensions = ['md', 'mdx', 'mdoc', 'markdown', 'rst', 'adoc', 'asciidoc', 'txt', 'po', 'pot'];

/** For git: every page of a commit, in any letter case. */
export const pagePathspecs = extensions.map((extension) => `:(icase,glob)**/*.${extension}`);

export const isPage = (path: string): boolean => extensions.includes(extensionOf(path));

export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
