// What counts as a page, for whoever asks: a row per kind of file.

/** Read by the frameworks whose sites are checked. */
export const markdownExtensions = ['md', 'mdx', 'mdoc', 'markdown'] as const;

/** Pages of other tools: their links are not checked. */
export const otherPageExtensions = ['rst', 'adoc', 'asciidoc'] as const;

/** Texts beside pages: plain text and translations of messages. */
export const proseExtensions = ['txt', 'po', 'pot'] as const;

export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

const hasOneOf =
  (extensions: readonly string[]) =>
  (path: string): boolean =>
    extensions.includes(extensionOf(path));

export const isMarkdown = hasOneOf(markdownExtensions);

/** In any markup. */
export const isPage = hasOneOf([...markdownExtensions, ...otherPageExtensions]);

/** Text that people write for people. */
export const isProse = hasOneOf([...markdownExtensions, ...otherPageExtensions, ...proseExtensions]);
