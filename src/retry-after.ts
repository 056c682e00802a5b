/** In milliseconds from `now`, at least 0. Undefined: the header is missing or broken. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
export function parseRetryAfter(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const waitMs = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1_000;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
}
