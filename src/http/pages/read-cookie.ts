/** The value of a cookie in a `Cookie` header; empty: it is not there. */
export function readCookie(header: string | undefined, name: string): string {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([found]) => found === name)?.[1] ?? '';
}
