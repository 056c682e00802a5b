import { type ApiDocument, type Media, resolveSchema, type Schema } from './document-shape.ts';

/** Gives each body without an example one, made of the examples of its schema's fields. */
export function addExamples(document: ApiDocument): void {
  for (const methods of [...Object.values(document.paths), ...Object.values(document.webhooks)])
    for (const { requestBody, responses } of Object.values(methods))
      for (const { content } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)])
        for (const media of Object.values(content)) addExample(media, document);
}

function addExample(media: Media, document: ApiDocument): void {
  if (media.schema === undefined || media.example !== undefined || media.examples !== undefined) return;
  media.example = createSample(media.schema, document);
}

/** A value that fits the schema. */
function createSample(schema: Schema, document: ApiDocument): unknown {
  const resolved = resolveSchema(schema, document);
  const { example, const: only, enum: [first] = [], anyOf, oneOf, default: usual } = resolved;
  for (const given of [example, only, usual, first]) if (given !== undefined) return given;
  const [choice] = anyOf ?? oneOf ?? [];
  if (choice) return createSample(choice, document);
  const type = Array.isArray(resolved.type) ? resolved.type[0] : resolved.type;
  switch (type) {
    case 'object': {
      const properties = Object.entries(resolved.properties ?? {});
      return Object.fromEntries(properties.map(([name, field]) => [name, createSample(field, document)]));
    }
    case 'array':
      return resolved.items ? [createSample(resolved.items, document)] : [];
    case 'integer':
    case 'number':
      return resolved.minimum ?? 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return resolved.format === 'uri' ? 'https://example.com' : 'text';
    default:
      return {};
  }
}
