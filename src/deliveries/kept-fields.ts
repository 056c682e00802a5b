import { z } from 'zod';

/** What to keep of a JSON value: all of it, these keys of an object, this of each item of a list, or the texts of a list with a prefix. */
export type Kept = true | { keys: { [key: string]: Kept } } | { items: Kept } | { prefix: string };

/** A list of texts, of which only those with this prefix are kept: a push may name every file of a large repository. */
export const textsWithPrefix = (prefix: string) => z.array(z.string()).meta({ keptPrefix: prefix });

/** The fields that a schema reads, as data: the thread that parses payloads does not load the schemas. */
export const toKept = (schema: z.ZodType): Kept =>
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
