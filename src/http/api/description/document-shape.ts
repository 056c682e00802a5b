import { z } from 'zod';

const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  example: z.unknown().optional(),
  const: z.unknown().optional(),
  default: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  minimum: z.number().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  maximum: z.number().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schemaShape).optional();
  },
  get items() {
    return schemaShape.optional();
  },
  get anyOf() {
    return z.array(schemaShape).optional();
  },
  get oneOf() {
    return z.array(schemaShape).optional();
  },
});

/** The parts of a JSON Schema that the reference page and the examples read. */
export type Schema = z.infer<typeof schemaShape>;

const mediaShape = z.looseObject({
  schema: schemaShape.optional(),
  example: z.unknown().optional(),
  examples: z
    .record(z.string(), z.looseObject({ description: z.string().optional(), value: z.unknown().optional() }))
    .optional(),
});
export type Media = z.infer<typeof mediaShape>;

const contentShape = z.record(z.string(), mediaShape);

const headerShape = z.looseObject({ $ref: z.string().optional(), description: z.string().optional() });

const operationShape = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  description: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.unknown()).optional(),
  parameters: z
    .array(
      z.looseObject({
        in: z.string(),
        name: z.string(),
        required: z.boolean().optional(),
        description: z.string().optional(),
        schema: schemaShape,
      }),
    )
    .default([]),
  requestBody: z.looseObject({ content: contentShape }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({
      description: z.string(),
      headers: z.record(z.string(), headerShape).default({}),
      content: contentShape.default({}),
    }),
  ),
});
export type Operation = z.infer<typeof operationShape>;

const pathsShape = z.record(z.string(), z.record(z.string(), operationShape));

export const documentShape = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string(), summary: z.string(), description: z.string() }),
  servers: z.array(z.looseObject({ url: z.string() })),
  tags: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  paths: pathsShape,
  webhooks: pathsShape.default({}),
  components: z.looseObject({
    schemas: z.record(z.string(), schemaShape),
    headers: z.record(z.string(), headerShape).default({}),
  }),
});

/** The parts of our OpenAPI document that are read again. */
export type ApiDocument = z.infer<typeof documentShape>;

const prefix = '#/components/schemas/';

/** What a header of an answer means. */
export const meaningOfHeader = (
  { $ref, description }: z.infer<typeof headerShape>,
  { components }: ApiDocument,
): string => description ?? components.headers[$ref?.split('/').at(-1) ?? '']?.description ?? '';

export const nameOfSchema = ({ $ref }: Schema): string | undefined => $ref?.replace(prefix, '');

/** Follows a reference to a component. */
export function resolveSchema(schema: Schema, { components }: ApiDocument): Schema {
  const name = nameOfSchema(schema);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}
