/** The value of a cookie in a `Cookie` header; empty if there is none. */
export const readCookie = (header: string | undefined, name: string): string =>
  listCookies(header).find(([found]) => found === name)?.[1] ?? '';

/** The names of all cookies. Browsers send the oldest first: https://www.rfc-editor.org/rfc/rfc6265#section-5.4 */
export const listCookieNames = (header: string | undefined): string[] => listCookies(header).map(([name = '']) => name);

const listCookies = (header: string | undefined): string[][] =>
  (header ?? '').split(';').map((pair) => pair.trim().split('='));
