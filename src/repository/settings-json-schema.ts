import { z } from 'zod';
import { settingsSchema } from './settings.ts';

type JsonSchema = Record<string, unknown>;

/**
 * Describes `.github/pagewright.yml` to editors, with the schema that reads it. It accepts all that Pagewright accepts, and not only that: a
 * glob or a schedule may still be wrong. https://json-schema.org/draft-07/schema
 */
export function createSettingsJsonSchema(): JsonSchema {
  return {
    ...z.toJSONSchema(settingsSchema, {
      io: 'input',
      target: 'draft-07',
      override: ({ jsonSchema }) => addShortForm(jsonSchema),
    }),
    title: 'Settings of Pagewright: .github/pagewright.yml',
    additionalProperties: false,
  };
}

/** A schema that turns a short form into the long one describes the long one only. */
function addShortForm(schema: JsonSchema): void {
  const { alsoTakes, description, ...long } = schema;
  if (alsoTakes === undefined) return;
  for (const key of Object.keys(schema)) delete schema[key];
  if (description !== undefined) schema.description = description;
  schema.anyOf = [alsoTakes === 'item' ? long.items : { type: 'string' }, long];
}
