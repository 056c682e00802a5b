import type { z } from 'zod';
import { findNearestName } from '../../../find-nearest-name.ts';
import { bodyLimits } from '../../bodies/body-budget.ts';
import { parseJsonBody, requireJson } from '../../bodies/read-body.ts';
import { type FieldError, HttpProblem } from '../../problem.ts';
import type { ApiRequest, Call } from './project-route.ts';

/** Reads and checks a JSON body. `mayBeMissing`: none counts as `{}`. Throws a `Problem` that names each bad or unknown field. */
export async function readRequest<Schema extends z.ZodObject>(
  { request, readBody }: Call,
  options: { schema: Schema; maxBytes?: number; mayBeMissing?: boolean },
): Promise<z.output<Schema>> {
  const { schema, maxBytes = bodyLimits.small, mayBeMissing = false } = options;
  if (!mayBeMissing || hasBody(request)) requireJson(request);
  using body = await readBody({ maxBytes });
  const nothing = mayBeMissing ? {} : undefined;
  const sent = body.bytes.length === 0 ? nothing : parseJsonBody(body.bytes);
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
  const sent = parseJsonBody(body.bytes);
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

/** An error in a query parameter. */
interface ParameterError {
  parameter: string;
  detail: string;
}

const maxErrors = 20;
const maxNameLength = 100;

/** Joins all errors into one sentence. Each `detail` completes a clause that begins with its field or parameter. */
export function invalidRequest(all: readonly (FieldError | ParameterError)[]): HttpProblem {
  const errors = all.slice(0, maxErrors);
  const clauses = errors.map((error) => `${nameOf(error)} ${error.detail}`);
  const sentence = `Invalid request: ${clauses.join('; ')}`;
  return new HttpProblem('invalid-request', sentence.endsWith('?') ? sentence : `${sentence}.`, {
    extensions: { errors },
  });
}

function nameOf(error: FieldError | ParameterError): string {
  if ('parameter' in error) return error.parameter;
  return error.pointer === '#' ? 'the body' : decodeURIComponent(error.pointer.slice(2));
}

/** https://www.rfc-editor.org/rfc/rfc6901#section-6 */
const toPointer = (path: readonly PropertyKey[]): string =>
  [
    '#',
    ...path.map((name) => encodeURIComponent(boundName(String(name)).replaceAll('~', '~0').replaceAll('/', '~1'))),
  ].join('/');

/** A name that a caller sent, as an error shows it. */
const boundName = (name: string): string => name.slice(0, maxNameLength).toWellFormed();

/** The first name of each row is ours; GitHub and other APIs use the others for the same thing. */
const synonyms = [
  ['ref', 'branch', 'base', 'basebranch', 'target', 'targetbranch'],
  ['prompt', 'text', 'message', 'instruction', 'instructions', 'content', 'input', 'task', 'body'],
  ['draft', 'isdraft'],
  ['images', 'image', 'attachments', 'attachment', 'files', 'pictures', 'screenshots'],
  ['status', 'state', 'statuses', 'filter'],
  ['pullRequest', 'pr', 'pull', 'prnumber', 'pullrequestnumber', 'pullnumber', 'number'],
  ['limit', 'perpage', 'pagesize', 'size', 'count', 'first', 'max'],
  ['cursor', 'nextcursor', 'page', 'pagetoken', 'after', 'before', 'startingafter', 'next', 'offset'],
];

/** Completes a sentence that begins with the unknown name. */
function describeUnknown(name: string, known: readonly string[]): string {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  const synonym = synonyms.find((names) => names.includes(plain))?.[0];
  const nearest = synonym && known.includes(synonym) ? synonym : findNearestName(name, known);
  if (nearest !== undefined) return `is unknown: did you mean \`${nearest}\`?`;
  return known.length === 0 ? 'is unknown: this route takes none' : `is unknown: use only ${known.join(', ')}`;
}
