import type { EmitterWebhookEventName } from '@octokit/webhooks';
import { z } from 'zod';
import type { Database } from '../store/postgres/database.ts';
import type { StoreTx } from '../store/store.ts';
import type { Apply, DeliveryContext } from './delivery-context.ts';
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

/** What the handlers of an event with these fields read. */
export type FieldsOf<Shape extends z.ZodRawShape> = CommonFields & z.infer<z.ZodObject<Shape>>;

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

/** A handler that does something more. The delivery is done if either changes something. `find`: what to do; undefined: nothing. */
export const alsoApply =
  <Fields extends CommonFields>(
    handle: EventHandler<Fields>,
    find: (context: DeliveryContext<Fields>) => Promise<((store: StoreTx) => Promise<boolean>) | undefined>,
  ): EventHandler<Fields> =>
  async (context) => {
    const changed = await handle(context);
    if (changed instanceof Date) return changed;
    const also = await find(context);
    if (!also) return changed;
    return async (store) => {
      const outcome = typeof changed === 'function' ? await changed(store) : changed;
      if (outcome instanceof Date) return outcome;
      return (await also(store)) ? undefined : outcome;
    };
  };

/** What to keep of a JSON value: all of it, these keys of an object, this of each item of a list, or the texts of a list with a prefix. */
export type Kept = true | { keys: { [key: string]: Kept } } | { items: Kept } | { prefix: string };

/** A list of texts, of which only those with this prefix are kept: a push may name every file of a large repository. */
export const textsWithPrefix = (prefix: string) => z.array(z.string()).meta({ keptPrefix: prefix });

/** The fields that a schema reads, as data: the thread that parses payloads does not load the schemas. */
const toKept = (schema: z.ZodType): Kept =>
  fromNode(nodeSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));

/** A schema in JSON Schema. */
interface Node {
  keptPrefix?: string | undefined;
  properties?: Record<string, Node> | undefined;
  items?: Node | undefined;
  anyOf?: Node[] | undefined;
}

const nodeSchema: z.ZodType<Node> = z.lazy(() =>
  z.object({
    keptPrefix: z.string().optional(),
    properties: z.record(z.string(), nodeSchema).optional(),
    items: nodeSchema.optional(),
    anyOf: z.array(nodeSchema).optional(),
  }),
);

function fromNode(node: Node): Kept {
  const alternatives = flatten(node);
  const keys = alternatives.flatMap(({ properties }) => Object.entries(properties ?? {}));
  if (alternatives.some(({ properties }) => properties))
    return { keys: Object.fromEntries(keys.map(([key, child]) => [key, fromNode(child)])) };
  const list = alternatives.find(({ items }) => items);
  if (list?.keptPrefix !== undefined) return { prefix: list.keptPrefix };
  return list?.items ? { items: fromNode(list.items) } : true;
}

const flatten = (node: Node): Node[] => [node, ...(node.anyOf ?? []).flatMap(flatten)];

/** What is kept of the payload of an unknown event. */
export const everyPayload = toKept(z.object(commonFields));
