/** Cuts at `maxLength` UTF-16 units, never inside a surrogate pair. */
export const cutText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');

/** Cuts at `maxLength` UTF-16 units, never inside a surrogate pair, and ends a cut text with an ellipsis. */
export function bound(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${cutText(text, maxLength - 1)}…`;
}

/** Like `bound`, but says how many characters were cut. `more`: so many were cut before. */
export function boundCounted(text: string, maxLength: number, more = 0): string {
  if (text.length <= maxLength && more === 0) return text;
  const kept = cutText(text, maxLength);
  return `${kept}… [${(text.length - kept.length + more).toLocaleString('en')} more characters]`;
}

export function firstLine(text: string, maxLength: number): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  return bound(line.replace(/\s+/g, ' ').trim(), maxLength);
}
