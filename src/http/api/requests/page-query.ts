import { z } from 'zod';
import type { Cursors, ListName } from '../../../lists/cursors.ts';
import type { PageRequest } from '../../../store/lists/page.ts';
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

/** Of a list without filters. */
export const pageQuery = z.strictObject(pageParameters);

export const nextCursorSchema = z
  .string()
  .nullable()
  .meta({ description: 'The `cursor` of the next page. `null`: these are the last items.', example: null });

/** The page that a query asks for. Throws a `Problem` for a cursor that is not of this list. */
export function toPageRequest(
  cursors: Cursors,
  list: ListName,
  { limit = defaultItems, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): PageRequest<string> {
  if (cursor === undefined) return { limit };
  const after = cursors.read(list, cursor);
  if (after !== undefined) return { limit, after };
  const detail = 'must be the `nextCursor` of a page of this list, with the same filters; leave it out to begin anew';
  throw invalidRequest([{ parameter: 'cursor', detail }]);
}

/** Of a list whose positions are numbers. */
export function toNumberedPageRequest(...args: Parameters<typeof toPageRequest>): PageRequest<number> {
  const { limit, after } = toPageRequest(...args);
  return after === undefined ? { limit } : { limit, after: Number(after) };
}

export const toNextCursor = (cursors: Cursors, list: ListName, next: string | number | null): string | null =>
  next === null ? null : cursors.write(list, next);
