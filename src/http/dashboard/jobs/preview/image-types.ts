const types = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['svg', 'image/svg+xml'],
]);

/** Undefined: a preview does not show the file. */
export const imageTypeOf = (path: string): string | undefined =>
  types.get(/\.([a-z]{3,4})$/i.exec(path)?.[1]?.toLowerCase() ?? '');
