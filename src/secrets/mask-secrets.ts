import type { Secret } from './find-secrets.ts';

/** Longest first, because one key may contain another. */
export function maskSecrets(text: string, secrets: readonly Secret[]): string {
  const values = secrets.map(({ value }) => value).sort((a, b) => b.length - a.length);
  return values.reduce((masked, value) => masked.replaceAll(value, '[secret]'), text);
}
