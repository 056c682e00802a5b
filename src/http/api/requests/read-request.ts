import type { z } from 'zod';
import { bodyLimits } from '../../bodies/body-budget.ts';
import { parseJson, requireJson } from '../../bodies/parse-json.ts';
import type { FieldError } from '../../problem.ts';
import { invalidRequest, toPointer } from './invalid-request.ts';
import { describeUnknown } from './near-names.ts';
import type { Call } from './project-route.ts';

/** Reads and checks a JSON body. `mayBeMissing`: none counts as `{}`. Throws a `Problem` that names each bad or unknown field. */
export async function readRequest<Schema extends z.ZodObject>(
  { request, readBody }: Call,
  options: { schema: Schema; maxBytes?: number; mayBeMissing?: boolean },
): Promise<z.output<Schema>> {
  const { schema, maxBytes = bodyLimits.small, mayBeMissing = false } = options;
  if (!mayBeMissing || hasBody(request)) requireJson(request);
  using body = await readBody({ maxBytes });
  const nothing = mayBeMissing ? {} : undefined;
  const sent = body.bytes.length === 0 ? nothing : parseJson(body.bytes);
  const parsed = schema.safeParse(sent);
  const unknown = findUnknown(sent, Object.keys(schema.shape));
  if (parsed.success && unknown.length === 0) return parsed.data;
  const wrong = (parsed.error?.issues ?? [])
    .filter(({ code, path }) => code !== 'unrecognized_keys' || path.length > 0)
    .map(({ path, message }) => ({ pointer: toPointer(path), detail: message }));
  throw invalidRequest([...wrong, ...unknown]);
}

/** For a request without a body: what belongs into the query would be ignored in one. Takes none and `{}`; throws a `Problem` otherwise. */
export async function requireNoBody(
  { request, readBody }: Call,
  { parameters }: { parameters: readonly string[] },
): Promise<void> {
  if (!hasBody(request)) return;
  using body = await readBody({ maxBytes: bodyLimits.small });
  const sent = parseJson(body.bytes);
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw invalidRequest([{ pointer: '#', detail: 'must be empty' }]);
  const unknown = Object.keys(sent).map((name) => ({
    pointer: toPointer([name]),
    detail: parameters.includes(name) ? `belongs in the query: \`?${name}=…\`` : 'is unknown: send no body',
  }));
  if (unknown.length > 0) throw invalidRequest(unknown);
}

const hasBody = ({ headers }: Call['request']): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** The message of zod for a wrong or missing field. */
export const mustBe = (what: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : `must be ${what}`;

/** Also finds `__proto__`, which zod ignores. */
function findUnknown(sent: unknown, known: readonly string[]): FieldError[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  return Object.keys(sent)
    .filter((name) => !known.includes(name))
    .map((name) => ({ pointer: toPointer([name]), detail: describeUnknown(name, known) }));
}
