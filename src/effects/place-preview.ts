/** Begins the key of each effect that writes the section. */
export const previewKey = 'preview:';
export const previewStart = '<!-- pagewright:preview:start -->';
export const previewEnd = '<!-- pagewright:preview:end -->';

/** The body with the section, after Pagewright's own; undefined: a person removed it. `isFirst`: it had none before. */
export function placePreview(body: string, section: string, { isFirst }: { isFirst: boolean }): string | undefined {
  const from = body.indexOf(previewStart);
  const to = body.indexOf(previewEnd, from);
  if (from >= 0 && to >= 0) return body.slice(0, from) + section + body.slice(to + previewEnd.length);
  if (!isFirst) return undefined;
  const own = '<!-- pagewright:end -->';
  const at = body.indexOf(own);
  const after = at < 0 ? body.length : at + own.length;
  return `${body.slice(0, after)}\n\n${section}${body.slice(after)}`;
}
