/** Cuts at `maxLength` UTF-16 units, never inside a surrogate pair, and ends a cut text with an ellipsis. */
export function bound(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export function firstLine(text: string, maxLength: number): string {
  const line = text.trim().split(/\r?\n/, 1)[0] ?? '';
  return bound(line.replace(/\s+/g, ' ').trim(), maxLength);
}

/** Cuts before neutralizing: a cut through an inserted comment would hide all later text. */
export function boundNeutralized(text: string, maxLength: number, neutralizer: (text: string) => string): string {
  for (let room = maxLength; ; room = Math.floor(room / 2)) {
    const neutralized = neutralizer(bound(text.trim(), room)).trim();
    if (neutralized.length <= maxLength) return neutralized;
  }
}
