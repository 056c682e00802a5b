/** Cuts at `maxLength` UTF-16 units, never inside a surrogate pair, and ends a cut text with an ellipsis. */
export function bound(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export function firstLine(text: string, maxLength: number): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  return bound(line.replace(/\s+/g, ' ').trim(), maxLength);
}
