/**
 * How long a server asks to wait, in milliseconds; undefined when it does not say, or says nonsense. Reads `retry-after-ms` (OpenAI's
 * own) and `Retry-After` as seconds or as a date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function parseRetryAfter({ headers, now }: { headers: Headers; now: number }): number | undefined {
  const milliseconds = headers.get('retry-after-ms');
  const seconds = headers.get('retry-after');
  const waits = [
    milliseconds === null ? Number.NaN : Number(milliseconds),
    seconds === null ? Number.NaN : Number(seconds) * 1000,
    seconds === null ? Number.NaN : Date.parse(seconds) - now,
  ];
  const waitMs = waits.find((wait) => Number.isFinite(wait));
  return waitMs === undefined ? undefined : Math.max(0, waitMs);
}
