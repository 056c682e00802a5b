export type Schema = Record<string, unknown>;

interface Conversion {
  /** What `#/components/…` is resolved against. */
  base: string;
  /** Whether a field that the schema does not name is an error. */
  isClosed: boolean;
}

/**
 * A schema of OpenAPI 3.0 as one of JSON Schema. `nullable` counts beside `$ref`, `oneOf` and `enum` too, where Ajv ignores or rejects it.
 * `oneOf` becomes `anyOf`: many of GitHub's alternatives overlap.
 */
export function toJsonSchema(schema: unknown, conversion: Conversion): unknown {
  if (Array.isArray(schema)) return schema.map((each) => toJsonSchema(each, conversion));
  if (!isSchema(schema)) return schema;
  const alternatives = [schema.anyOf ?? [], schema.oneOf ?? []].flat();
  const converted: Schema = {
    ...Object.fromEntries(keptKeywords.flatMap((name) => (schema[name] === undefined ? [] : [[name, schema[name]]]))),
    ...(typeof schema.$ref === 'string' && { $ref: `${conversion.base}${schema.$ref}` }),
    ...(isSchema(schema.properties) && { properties: mapValues(schema.properties, conversion) }),
    ...(schema.items !== undefined && { items: toJsonSchema(schema.items, conversion) }),
    ...(schema.additionalProperties !== undefined && {
      additionalProperties: toJsonSchema(schema.additionalProperties, conversion),
    }),
    // One part of a whole must not refuse the fields of the others.
    ...(alternatives.length > 0 && { anyOf: toJsonSchema(alternatives, { ...conversion, isClosed: false }) }),
    ...(schema.allOf !== undefined && { allOf: toJsonSchema(schema.allOf, { ...conversion, isClosed: false }) }),
  };
  const hasFields = converted.properties !== undefined || converted.anyOf !== undefined;
  if (conversion.isClosed && hasFields && schema.additionalProperties === undefined)
    converted.unevaluatedProperties = false;
  return schema.nullable === true ? { anyOf: [{ type: 'null' }, converted] } : converted;
}

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const keptKeywords = [
  ...['type', 'enum', 'format', 'required', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
];

const mapValues = (schemas: Schema, conversion: Conversion): Schema =>
  Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, toJsonSchema(each, conversion)]));
