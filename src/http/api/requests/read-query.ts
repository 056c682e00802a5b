import type { z } from 'zod';
import { boundName, invalidRequest } from './invalid-request.ts';
import { describeUnknown } from './near-names.ts';
import type { ApiRequest } from './project-route.ts';

/** Checks the query. Throws a `Problem` that names each bad or unknown parameter, and what is allowed. */
export function readQuery<Schema extends z.ZodObject>(
  { request }: { request: ApiRequest },
  schema: Schema,
): z.output<Schema> {
  const sent = Object.entries(request.query);
  const known = Object.keys(schema.shape);
  const unknown = sent
    .filter(([name]) => !known.includes(name))
    .map(([name]) => ({ parameter: boundName(name), detail: describeUnknown(name, known) }));
  const repeated = sent
    .filter(([name, value]) => known.includes(name) && typeof value !== 'string')
    .map(([name]) => ({ parameter: name, detail: 'must be sent once' }));
  const parsed = schema.safeParse(Object.fromEntries(sent.filter(([, value]) => typeof value === 'string')));
  if (parsed.success && unknown.length === 0 && repeated.length === 0) return parsed.data;
  const wrong = (parsed.error?.issues ?? [])
    .filter(({ code }) => code !== 'unrecognized_keys')
    .map(({ path, message }) => ({ parameter: String(path[0]), detail: message }));
  throw invalidRequest([...wrong, ...repeated, ...unknown]);
}
