import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { PageRequest } from '../../../store/lists/page.ts';
import { describeResponse } from '../description/responses.ts';
import type { Cursors, ListName } from './cursors.ts';
import { invalidRequest } from './invalid-request.ts';

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
  cursor: z.string().optional().meta({ description: 'The `nextCursor` of the page before, with the same filters.' }),
};

/** The query of a list without filters. */
export const pageQuery = z.strictObject(pageParameters);

export const nextCursorSchema = z
  .string()
  .nullable()
  .meta({ description: 'The `cursor` of the next page. `null`: these are the last items.', example: null });

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
