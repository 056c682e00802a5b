import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The list of a cursor: it is refused in another project, list or filter. */
export type ListName = readonly (string | number | null | readonly string[])[];

export type Cursors = ReturnType<typeof createCursors>;

const signatureBytes = 16;

/**
 * Opaque positions in lists, signed, so that a caller can neither make nor move one. All processes with the same secret read them. The
 * signature has 16 bytes, then the position follows; https://www.rfc-editor.org/rfc/rfc5869 derives the key.
 */
export function createCursors(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'pagewright cursors', 32));
  const sign = (list: ListName, position: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([list, position]))
      .digest()
      .subarray(0, signatureBytes);
  return {
    write(list: ListName, position: string | number): string {
      const text = String(position);
      return Buffer.concat([sign(list, text), Buffer.from(text)]).toString('base64url');
    },
    /** Undefined: not a cursor of this list. */
    read(list: ListName, cursor: string): string | undefined {
      const bytes = Buffer.from(cursor, 'base64url');
      // Node.js skips characters that are not base64url: another text would be the same cursor.
      if (bytes.length <= signatureBytes || bytes.toString('base64url') !== cursor) return undefined;
      const position = bytes.subarray(signatureBytes).toString();
      return timingSafeEqual(bytes.subarray(0, signatureBytes), sign(list, position)) ? position : undefined;
    },
  };
}
