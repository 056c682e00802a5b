import { APIError } from 'openai';
import { type Fields, isFields } from '../json.ts';
import { knownItemFields, neededFields } from './quirks.ts';

/** What one server refuses for one model. */
export interface ServerDialect {
  refused: ReadonlySet<string>;
  /** The server's words about images, once it has refused them. */
  imagesRefused: string | undefined;
  /** Called when an answer came without these fields. */
  learn(refused: ReadonlySet<string>, imagesRefused?: string): void;
}

/** Remembers for each server and model what it refuses, as long as the process lives: to learn it again costs one refused request. */
export function createDialects(
  onLearned: (learned: { server: string; model: string; refused: string[] }) => void = () => {},
) {
  const dialects = new Map<string, ServerDialect>();
  return (server: string, model: string): ServerDialect => {
    const key = JSON.stringify([server, model]);
    const known = dialects.get(key);
    if (known) return known;
    let refused: ReadonlySet<string> = new Set();
    let imagesRefused: string | undefined;
    const dialect = {
      get refused() {
        return refused;
      },
      get imagesRefused() {
        return imagesRefused;
      },
      learn(all: ReadonlySet<string>, words?: string) {
        imagesRefused ??= words;
        const learned = [...all].filter((name) => !refused.has(name));
        if (learned.length === 0) return;
        refused = refused.union(all);
        onLearned({ server, model, refused: learned });
      },
    };
    dialects.set(key, dialect);
    return dialect;
  };
}

const refusing =
  /unsupported|not supported|n[o']t support|unknown|unrecogni[sz]ed|unexpected|extra|not permitted|not allowed|forbidden|invalid|only (?:allowed|supported)|not available|not implemented/i;
/** A model that misses a field says so: the field must stay. */
const requiring =
  /must be (?:passed|provided|included|present|preserved)|passed back|is missing|missing (?:a|required|field)|is required/i;

/**
 * The fields of the request that the server refuses and that can be left out, by the error's `param` or paths, or by the words of its message.
 * `names` are fields beside the conversation, `itemNames` those in its items that came from the server.
 */
export function findRefused(options: {
  error: unknown;
  names: readonly string[];
  itemNames: readonly string[];
}): string[] {
  const { error, names, itemNames } = options;
  if (!isRefusalOfFields(error)) return [];
  const message = readMessage(error);
  if (requiring.test(message)) return [];
  const optional = names.filter((name) => !neededFields.has(name));
  const byPath = readPaths(error).flatMap((path) => {
    const [first = '', ...rest] = path.split(/[.[\]]+/).filter((part) => part !== '' && part !== 'body');
    if (optional.includes(first)) return [first];
    const last = rest.at(-1) ?? '';
    return neededFields.has(first) && itemNames.includes(last) ? [last] : [];
  });
  if (byPath.length > 0 || !refusing.test(message)) return [...new Set(byPath)];
  const named = listNamed(message, [...optional, ...itemNames]);
  return named.slice(0, 1);
}

/** What the server refuses although no request can do without. */
export function findNeeded(error: unknown): string | undefined {
  if (!isRefusalOfFields(error) || !refusing.test(readMessage(error))) return undefined;
  return readPaths(error)
    .map((path) => path.split(/[.[\]]+/).find((part) => neededFields.has(part) && part !== 'model'))
    .find((name) => name !== undefined);
}

const isRefusalOfFields = (error: unknown): error is APIError =>
  error instanceof APIError && (error.status === 400 || error.status === 422);

const readMessage = ({ error: body }: APIError): string =>
  isFields(body) && typeof body.message === 'string' ? body.message : '';

function readPaths(error: APIError): string[] {
  const body: unknown = error.error;
  const paths: unknown = isFields(body) ? (body.paths ?? [body.param]) : [];
  return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
}

/** A name that is also an English word counts only in quotes, or as a field or parameter. In the order of the message. */
function listNamed(message: string, names: readonly string[]): string[] {
  const words = new Set(names);
  return [...message.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g)].flatMap(({ 0: word, index }) => {
    if (!words.has(word)) return [];
    const [before, after] = [message.slice(0, index), message.slice(index + word.length)];
    const isQuoted = /['"`‘“.]$/.test(before) || /^(?:['"`’”]|: )/.test(after);
    const isCalledField =
      /(?:parameter|argument|field|property|option|input)s?:? $/.test(before.slice(-30)) ||
      /^ (?:parameter|argument|field|option)/.test(after);
    return word.includes('_') || isQuoted || isCalledField ? [word] : [];
  });
}

/** The names of fields in the items that the server once sent. */
export const listItemNames = (items: readonly object[]): string[] => {
  const names = new Set(
    items.filter(isAnswer).flatMap((item) => [item, ...listCalls(item)].flatMap((fields) => Object.keys(fields))),
  );
  return [...names].filter((name) => !knownItemFields.has(name));
};

export function withoutItemFields(item: object, refused: ReadonlySet<string>): object {
  if (!isAnswer(item)) return item;
  const calls = listCalls(item).map((call) => without(call, refused));
  return { ...without(item, refused), ...(calls.length > 0 && { tool_calls: calls }) };
}

export const without = (fields: Fields, refused: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !refused.has(name)));

/** Not what a person or a tool says. */
const isAnswer = (item: object): item is Fields =>
  'role' in item ? item.role === 'assistant' : 'type' in item && item.type !== 'function_call_output';

const listCalls = ({ tool_calls: calls }: Fields): Fields[] => (Array.isArray(calls) ? calls.filter(isFields) : []);
