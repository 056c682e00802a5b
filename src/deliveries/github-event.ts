import type { EmitterWebhookEventName } from '@octokit/webhooks';
import { z } from 'zod';
import type { Database } from '../store/postgres/database.ts';
import type { Apply, DeliveryContext } from './delivery-context.ts';
import { type Kept, toKept } from './kept-fields.ts';
import { type CommonFields, commonFields } from './payload.ts';

/**
 * Reads from GitHub, then returns what to write, why the delivery is ignored, or when to process it again. Deliveries may be late, repeated or
 * out of order.
 */
export type EventHandler<Fields extends CommonFields = CommonFields> = (
  context: DeliveryContext<Fields>,
) => Promise<Apply | string | Date>;

interface EventDefinition<Shape extends z.ZodRawShape> {
  name: EmitterWebhookEventName;
  /** The fields of the payload that the other functions read, beside those that all events have. */
  fields: Shape;
  /** One handler, or one for each action of the event; deliveries of other actions are dropped. */
  handle: EventHandler<FieldsOf<Shape>> | Record<string, EventHandler<FieldsOf<Shape>>>;
  /** Why a delivery is not stored, or undefined if it is. Runs before any query: most webhooks concern no job. */
  findDropReason?: (fields: FieldsOf<Shape>) => string | undefined;
  /** Whether the delivery may concern a job, or trigger an automation. By default, it is stored. */
  isWanted?: (database: Database, fields: FieldsOf<Shape>) => Promise<boolean>;
  /** The review that the delivery is a part of. */
  findReviewId?: (fields: FieldsOf<Shape>) => number | null | undefined;
}

type FieldsOf<Shape extends z.ZodRawShape> = CommonFields & z.infer<z.ZodObject<Shape>>;

/** One kind of webhook, with all that Pagewright knows of it. */
export interface GitHubEvent<Fields extends CommonFields = CommonFields> {
  name: EmitterWebhookEventName;
  /** Empty if the event has none. */
  actions: readonly string[];
  kept: Kept;
  /** Throws a `ZodError` if the payload is not as GitHub describes it. */
  parse(payload: unknown): Fields;
  findDropReason(fields: Fields): string | undefined;
  isWanted(database: Database, fields: Fields): Promise<boolean>;
  findReviewId(fields: Fields): number | null;
  handle(context: DeliveryContext<Fields>): Promise<Apply | string | Date>;
}

export const noHandler = 'no handler for this event';

/** What is kept of the payload of an unknown event. */
export const everyPayload = toKept(z.object(commonFields));

/** Defines an event in one place. An event of `events.ts` is also an entry in app.yml. */
export function defineEvent<Shape extends z.ZodRawShape>(
  definition: EventDefinition<Shape>,
): GitHubEvent<FieldsOf<Shape>> {
  const { name, fields: shape, handle, findDropReason, isWanted, findReviewId } = definition;
  const schema = z.object({ ...commonFields, ...shape });
  const findHandler = ({ action = '' }: CommonFields) => {
    if (typeof handle === 'function') return handle;
    return Object.hasOwn(handle, action) ? handle[action] : undefined;
  };
  return {
    name,
    actions: typeof handle === 'function' ? [] : Object.keys(handle),
    kept: toKept(schema),
    parse: (payload) => schema.parse(payload) as FieldsOf<Shape>,
    findDropReason: (fields) => (findHandler(fields) ? findDropReason?.(fields) : noHandler),
    isWanted: async (database, fields) => (await isWanted?.(database, fields)) ?? true,
    findReviewId: (fields) => findReviewId?.(fields) ?? null,
    handle: async (context) => (await findHandler(context.fields)?.(context)) ?? noHandler,
  };
}
