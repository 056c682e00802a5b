import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { PageRequest } from '../../../store/lists/page.ts';
import type { Database } from '../../../store/postgres/database.ts';
import type { Store } from '../../../store/store.ts';
import { describeResponse } from '../description/responses.ts';
import { textOrNull } from '../description/shared-schemas.ts';
import type { Call, JsonReply } from './project-route.ts';
import { invalidRequest, readQuery } from './read-request.ts';

/** The list of a cursor: it is refused in another project, list or filter. */
type ListName = readonly (string | number | null | readonly string[])[];

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

const mostItems = 100;
const defaultItems = 20;

/** A whole number in digits. */
export const countParameter = (text: { least: number; most: number; error: string }) =>
  z
    .string()
    .refine(
      (digits) => /^\d{1,10}$/.test(digits) && Number(digits) >= text.least && Number(digits) <= text.most,
      text.error,
    )
    .transform(Number);

/** The parameters of every list. */
export const pageParameters = {
  limit: countParameter({ least: 1, most: mostItems, error: `must be a whole number from 1 to ${mostItems}` })
    .optional()
    .meta({
      description: 'The most items to return.',
      override: { type: 'integer', minimum: 1, maximum: mostItems, default: defaultItems },
    }),
  cursor: z.string().optional().describe('The `nextCursor` of the page before, with the same filters.'),
};

/** The query of a list without filters. */
export const pageQuery = z.strictObject(pageParameters);

export const nextCursorSchema = textOrNull('The `cursor` of the next page. `null`: these are the last items.', null);

/** The answer of a list. */
export const describePage = (name: string, item: z.ZodType): ZodOpenApiResponseObject =>
  describeResponse(`A page of ${name}.`, z.object({ [name]: z.array(item), nextCursor: nextCursorSchema }));

interface Place {
  cursors: Cursors;
  list: ListName;
  /** What the query asks for. */
  asked: { limit?: number | undefined; cursor?: string | undefined };
}

/** Reads the page of a list that a query asks for. Throws a `Problem` for a cursor that is not of this list. */
export async function readPageQuery<Found extends { next: string | number | null }>(
  { cursors, list, asked: { limit = defaultItems, cursor } }: Place,
  read: (page: PageRequest<string>) => Promise<Found>,
): Promise<Found & { nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : cursors.read(list, cursor);
  if (cursor !== undefined && after === undefined) throw invalidCursor();
  const found = await read({ limit, after });
  return { ...found, nextCursor: found.next === null ? null : cursors.write(list, found.next) };
}

function invalidCursor() {
  const detail = 'must be the `nextCursor` of a page of this list, with the same filters; leave it out to start again';
  return invalidRequest([{ parameter: 'cursor', detail }]);
}

interface NumberedList<Parts> {
  /** Part of its cursors: those of another list are refused. */
  name: string;
  /** The id of what the list belongs to. Throws the problem 404. */
  find: (store: Store, call: Call) => Promise<string>;
  read: (
    database: Database,
    id: string,
    page: PageRequest<number>,
    parts: Parts,
  ) => Promise<{ body: object; next: number | null }>;
}

/** Makes the handler of a list whose positions are numbers, and whose query has no filters. */
export const createListHandler =
  <Parts extends { cursors: Cursors }>({ name, find, read }: NumberedList<Parts>) =>
  async (call: Call, parts: Parts): Promise<JsonReply> => {
    const asked = readQuery(call, pageQuery);
    return call.withDeadline(async (store) => {
      const id = await find(store, call);
      const place = { cursors: parts.cursors, list: [call.projectId, name, id], asked };
      const { body, nextCursor } = await readPageQuery(place, ({ limit, after }) =>
        read(store.database, id, { limit, after: after === undefined ? undefined : Number(after) }, parts),
      );
      return { status: 200, body: { ...body, nextCursor } };
    });
  };
