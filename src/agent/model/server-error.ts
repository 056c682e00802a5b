import { APIError } from 'openai';
import { isFields, parseJson } from '../json.ts';
import { statusOfMiniMax, statusOfWord } from './quirks.ts';

/** An error in OpenAI's form, whatever the server's form is. `paths`: the fields of the request that it names, such as `messages.2.name`. */
interface ServerError {
  message: string;
  code: string | null;
  type: string | null;
  param: string | null;
  paths: string[];
}

const longestMessage = 2_000;

/** Reads an error answer: OpenAI's and Google's form, FastAPI's lists, Mistral's lists in texts, OpenRouter's quotations, and plain text. */
export function readServerError(body: unknown): ServerError {
  const outer = Array.isArray(body) ? body[0] : body;
  const fields = isFields(outer) ? outer : {};
  const error = isFields(fields.error) ? fields.error : { ...fields, message: fields.message ?? fields.error };
  const details = [error.detail, error.message, fields.detail].flatMap(listDetails);
  const words = details.map(({ message, path }) => [path, message].filter((word) => word !== '').join(': '));
  const plain = readText(error.message) ?? readText(error.detail) ?? readText(outer) ?? '';
  // OpenRouter: the answer of the provider behind it. https://openrouter.ai/docs/api-reference/errors
  const raw = isFields(error.metadata) ? readText(error.metadata.raw) : null;
  const quoted = raw === null ? undefined : readServerError(parseJson(raw) ?? raw);
  const message = [words.length > 0 ? words.join('; ') : plain, quoted?.message ?? ''].filter((part) => part !== '');
  const param = readText(error.param) ?? quoted?.param ?? null;
  return {
    message: message.join(': ').slice(0, longestMessage),
    code: readText(error.code) ?? readText(error.status),
    type: readText(error.type) ?? readText(error.status),
    param,
    paths: [param ?? '', ...details.map(({ path }) => path), ...(quoted?.paths ?? [])].filter((path) => path !== ''),
  };
}

const readText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? `${value}` : null);

/** FastAPI: `[{loc: ['body', 'store'], msg}]`. Mistral: the same in `{detail}`, also as a text. */
function listDetails(value: unknown): { path: string; message: string }[] {
  if (typeof value === 'string') return /^\s*[[{]/.test(value) ? listDetails(parseJson(value)) : [];
  if (isFields(value)) return listDetails(value.detail);
  if (!Array.isArray(value)) return [];
  return value.filter(isFields).map(({ loc, msg }) => ({
    path: (Array.isArray(loc) ? loc : []).filter((part) => part !== 'body').join('.'),
    message: typeof msg === 'string' ? msg : '',
  }));
}

/** Rewrites error answers to OpenAI's form: the SDK keeps nothing of the others. */
export const withReadableErrors =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const response = await fetch(input, init);
    if (response.ok) return response;
    const body = await response.text().catch(() => '');
    const { status, statusText, headers } = response;
    const error = readServerError(parseJson(body) ?? withoutMarkup(body));
    return new Response(JSON.stringify({ error }), { status, statusText, headers: withoutLength(headers) });
  };

/** The page of a proxy says nothing that its status does not. */
const withoutMarkup = (text: string) => (text.trimStart().startsWith('<') ? '' : text);

function withoutLength(headers: Headers): Headers {
  const kept = new Headers([...headers]);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) kept.delete(name);
  return kept;
}

/** The error in an event or answer with status 200, if it is one. Its code stands for a status. */
export function findServerError(event: Record<string, unknown>, name?: string): APIError | undefined {
  const source = findErrorIn(event, name);
  if (source === undefined) return undefined;
  const error = readServerError(source);
  const status = statusOf(error, event);
  return status === undefined
    ? new APIError(undefined, error, undefined, new Headers())
    : APIError.generate(status, { error }, undefined, new Headers());
}

function findErrorIn(event: Record<string, unknown>, name: string | undefined): unknown {
  const { error, type, object, response, choices, base_resp: miniMax } = event;
  if (isFields(error) ? Object.keys(error).length > 0 : error) return event;
  if (type === 'error' || object === 'error' || name === 'error') return event;
  if (type === 'response.failed' && isFields(response) && isFields(response.error)) return response;
  if (Array.isArray(choices)) {
    const choice = choices.find((candidate) => isFields(candidate) && isFields(candidate.error));
    if (choice) return choice;
  }
  if (isFields(miniMax) && typeof miniMax.status_code === 'number' && miniMax.status_code !== 0)
    return { error: { code: miniMax.status_code, message: miniMax.status_msg } };
  const isOnlyDetail =
    event.detail !== undefined && choices === undefined && event.output === undefined && type === undefined;
  return isOnlyDetail ? event : undefined;
}

/** OpenRouter and vLLM put the HTTP status as the code. */
function statusOf({ code, type }: ServerError, event: Record<string, unknown>): number | undefined {
  const number = Number(code ?? Number.NaN);
  if (isFields(event.base_resp)) return statusOfMiniMax.get(number);
  if (Number.isInteger(number) && number >= 400 && number < 600) return number;
  return statusOfWord.get(code?.toLowerCase() ?? '') ?? statusOfWord.get(type?.toLowerCase() ?? '');
}

const longestQuote = 240;

/** What the server said of an error, for people: one line without secrets, markup and control characters. */
export function quoteServer(error: unknown, redact: (text: string) => string): string | undefined {
  const body: unknown = error instanceof APIError ? error.error : undefined;
  if (!isFields(body) || typeof body.message !== 'string') return undefined;
  const line = redact(body.message)
    .replace(/\bsk-[\w*.-]+/g, '[secret]')
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/[<>]/g, '')
    .trim()
    .replace(/[.!]$/, '');
  if (line.length <= longestQuote) return line || undefined;
  return `${line.slice(0, longestQuote).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
