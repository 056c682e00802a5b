/** Pages, and the files that say how a site is put together. Of others only the path counts. */
const text = /\.(?:md|mdx|mdoc|markdown|json|ya?ml|toml|[cm]?[jt]sx?)$/i;
const byName = /(?:^|\/)_redirects$/;
const generated = /(?:^|\/)(?:node_modules|package-lock\.json|npm-shrinkwrap\.json)(?:\/|$)/;

export const isRead = (path: string): boolean => (text.test(path) || byName.test(path)) && !generated.test(path);

/** Longer files are data, not documentation. */
export const maxReadBytes = 2 * 1024 ** 2;
