import type { Description } from './read-description.ts';
import { isSchema, type Schema } from './to-json-schema.ts';

/** `leaves` keeps objects and arrays, so that what they hold is null; `all` makes them null too. `optional`: the fields that may be missing. */
export interface SampleOptions {
  nulls: 'leaves' | 'all';
  optional: 'missing' | 'present';
  /** Which of several alternatives. */
  alternative: number;
}

export const sampleOptions: SampleOptions[] = [0, 1].flatMap((alternative) =>
  (['leaves', 'all'] as const).flatMap((nulls) =>
    (['missing', 'present'] as const).map((optional) => ({ nulls, optional, alternative })),
  ),
);

/** Recursive schemas end here: a repository has a template repository. */
const deepest = 4;

/** A value as the schema allows it, with as many nulls and as few fields as the options say. */
export function createSample({ resolve }: Pick<Description, 'resolve'>, schema: unknown, options: SampleOptions) {
  const { nulls, optional, alternative } = options;
  return sample('', schema, 0);

  function sample(name: string, given: unknown, depth: number): unknown {
    const { type, enum: values, format, properties, nullable, ...schema } = flatten(given);
    const isContainer = properties !== undefined || type === 'array';
    if (nullable === true && depth > 0 && (nulls === 'all' || !isContainer)) return null;
    if (Array.isArray(values)) return values[0];
    if (properties !== undefined) return fields({ properties, required: schema.required }, depth);
    if (type === 'array') return depth > deepest ? [] : [sample(name, schema.items, depth + 1)];
    if (type === 'integer' || type === 'number') return 42;
    if (type === 'boolean') return false;
    if (type === 'string') return words[name] ?? texts[name.endsWith('_at') ? 'date-time' : String(format)] ?? 'text';
    return {};
  }

  function fields({ properties, required }: Schema, depth: number): Schema {
    const always = new Set([required ?? []].flat());
    const wanted = Object.entries(isSchema(properties) ? properties : {}).filter(
      ([name]) => always.has(name) || neverMissing.includes(name) || (optional === 'present' && depth < deepest),
    );
    return Object.fromEntries(wanted.map(([name, each]) => [name, sample(name, each, depth + 1)]));
  }

  /** One schema instead of references, parts and alternatives. */
  function flatten(given: unknown): Schema {
    const resolved = resolve(given);
    if (!isSchema(resolved)) return {};
    const { allOf = [], anyOf = [], oneOf = [], ...own } = resolved;
    const alternatives = [anyOf, oneOf].flat();
    const chosen = alternatives.length > 0 ? [alternatives[alternative % alternatives.length]] : [];
    const whole = [allOf, chosen].flat().map(flatten).reduce(merge, own);
    return own.nullable === true ? { ...whole, nullable: true } : whole;
  }

  /** Both must hold, so what one of them leaves open does not weaken the other. */
  function merge(one: Schema, other: Schema): Schema {
    const required = [one.required ?? [], other.required ?? []].flat();
    const nullable = mayBeNull(one) && mayBeNull(other);
    const [fieldsOfOne, fieldsOfOther] = [one.properties, other.properties];
    if (!isSchema(fieldsOfOne) || !isSchema(fieldsOfOther)) return { ...one, ...other, required, nullable };
    const shared = Object.keys(fieldsOfOther).map((name) => [
      name,
      name in fieldsOfOne ? { allOf: [fieldsOfOne[name], fieldsOfOther[name]] } : fieldsOfOther[name],
    ]);
    return { ...one, ...other, required, nullable, properties: { ...fieldsOfOne, ...Object.fromEntries(shared) } };
  }
}

const mayBeNull = ({ nullable, type }: Schema) => nullable === true || type === undefined;

/** GitHub describes these as any text, or by a length. */
const words: Record<string, string> = { state: 'open', permission: 'write', sha: 'a'.repeat(40) };

/** By its description an App may have no slug. Each has one: its bot is named after it. */
const neverMissing = ['slug'];

const texts: Record<string, string> = {
  'date-time': '2026-11-20T20:06:00Z',
  date: '2026-11-20',
  uri: 'https://github.example/a',
  email: 'rita@acme.example',
};
