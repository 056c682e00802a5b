export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObjectText = (text: string): boolean => isFields(parseJson(text));

/** JSON with each of its strings rewritten, but not the names of fields. A text that is not JSON, or nests too deeply, stays the same. */
export function rewriteStrings(text: string, rewrite: (text: string) => string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_, value: unknown) =>
      typeof value === 'string' ? rewrite(value) : value,
    );
  } catch {
    // Not JSON, or nested too deeply to be written.
    return text;
  }
}
