export type ReadJson = { kind: 'json'; value: unknown } | { kind: 'not-utf8' } | { kind: 'not-json' };

/** Reads JSON in UTF-8. Pure, for threads too. */
export function readJson(bytes: Uint8Array): ReadJson {
  // JSON begins with two ASCII characters, so only UTF-16 and UTF-32 have a NUL here: https://www.rfc-editor.org/rfc/rfc4627#section-3
  if (bytes.subarray(0, 4).includes(0)) return { kind: 'not-utf8' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { kind: 'not-utf8' };
  }
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return { kind: 'not-json' };
  }
}
