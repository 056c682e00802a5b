/** A path without what a shell would add: `./guides/` is `guides`. */
export const plainPath = (path: string): string =>
  path
    .replace(/^(?:\.\/+)+(?=.)/, '')
    .replace(/^\/+$/, '/')
    .replace(/([^/])\/+$/, '$1');
