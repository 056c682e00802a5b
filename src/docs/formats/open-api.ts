import { checkDepth, type Data, isMap } from './data.ts';
import { findJsonPlace, parseJsonTree } from './json.ts';
import { follow, listOpenApiFaults, methods, type OpenApiFault } from './open-api-faults.ts';
import { stringIn, valueAt } from './settings.ts';
import { findYamlFault, findYamlPlace, readYaml, readYamlValue } from './yaml.ts';

/** A description of an HTTP API: https://spec.openapis.org/oas/latest.html */
interface OpenApi {
  /** Why it cannot be read, and where. */
  fault: { line: number; message: string } | undefined;
  /** `get /users/{}`, without the names of parameters. */
  operations: ReadonlySet<string>;
  /** `#/components/schemas/User`: places that it refers to and does not have. */
  lostReferences: readonly string[];
  /** Ids that two operations have. */
  repeatedIds: readonly string[];
  /** What its version of OpenAPI forbids. */
  faults: readonly (OpenApiFault & { line: number })[];
  /** Why `faults` are not known. */
  unjudged: string | undefined;
}

const marker = /^[ \t]*(?:\{[ \t]*)?["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?[23]\./m;
const isDataFile = /\.(?:json|ya?ml)$/i;

/** By its name, and by the version at its beginning. */
export const isOpenApi = (file: string, text: string): boolean =>
  isDataFile.test(file) && marker.test(text.slice(0, 3_000));

export type ReadOpenApi = (file: string, text: string) => OpenApi;

/** Reads a text once, as long as a file does not have two others after it: those of the base and of the head. */
export function createOpenApiReader(): ReadOpenApi {
  const known = new Map<string, { text: string; described: OpenApi }[]>();
  return (file, text) => {
    const texts = known.get(file) ?? [];
    const described = texts.find((each) => each.text === text)?.described ?? readOpenApi(file, text);
    known.set(file, [{ text, described }, ...texts.filter((each) => each.text !== text)].slice(0, 2));
    return described;
  };
}

function readOpenApi(file: string, text: string): OpenApi {
  const none = { operations: new Set<string>(), lostReferences: [], repeatedIds: [], faults: [], unjudged: undefined };
  const { fault, lineAt } = readPlaces(file, text);
  if (fault !== undefined) return { fault, ...none };
  const value = readValue(file, text);
  try {
    checkDepth(value ?? null);
  } catch {
    return { fault: undefined, ...none, unjudged: 'it nests too deeply' };
  }
  const operations = listOperations(value);
  const ids = operations.flatMap(({ id }) => (typeof id === 'string' ? [id] : []));
  const references = new Set(listReferences(value));
  const judged = judge(value);
  return {
    fault: undefined,
    operations: new Set(operations.map(({ method, path }) => nameOperation(method, path))),
    lostReferences: [...references].filter((reference) => follow(value, reference) === undefined),
    repeatedIds: [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))],
    faults: judged.faults.map((each) => ({ ...each, line: lineAt(each.keys) })),
    unjudged: judged.reason,
  };
}

const ownDialect = 'https://spec.openapis.org/oas/3.1/dialect/';

function judge(value: Data | undefined): { faults: OpenApiFault[]; reason?: string } {
  const [version] = /^3\.[01](?=\.)/.exec(stringIn(valueAt(value, 'openapi')) ?? '') ?? [];
  const dialect = stringIn(valueAt(value, 'jsonSchemaDialect')) ?? ownDialect;
  if (!dialect.startsWith(ownDialect)) return { faults: [], reason: 'its schemas are of another dialect' };
  if (version !== '3.0' && version !== '3.1') return { faults: [], reason: 'only OpenAPI 3.0 and 3.1 are known' };
  return { faults: listOpenApiFaults(value ?? null, version) };
}

/** Valid JSON is read by its own parser, which takes a tenth of the time. */
function readValue(file: string, text: string): Data | undefined {
  if (!file.endsWith('.json')) return readYamlValue(text)?.value;
  const value: Data = JSON.parse(text.replace(/^\uFEFF/, ''));
  return value;
}

export const nameOperation = (method: string, path: string): string =>
  `${method.toLowerCase()} ${path.replace(/\{[^{}]*\}/g, '{}').replace(/(?<=.)\/$/, '')}`;

function readPlaces(file: string, text: string): { fault: OpenApi['fault']; lineAt(keys: readonly string[]): number } {
  if (file.endsWith('.json')) {
    const { fault, root, lineOf } = parseJsonTree(text);
    return { fault, lineAt: (keys) => lineOf(findJsonPlace(root, keys)) };
  }
  const read = readYaml(text);
  return {
    fault: findYamlFault(read),
    lineAt: (keys) => read.lineOf(findYamlPlace(read.document.contents, keys)),
  };
}

function listOperations(value: Data | undefined): { method: string; path: string; id: Data | undefined }[] {
  return ['paths', 'webhooks'].flatMap((section) =>
    Object.entries(toMap(valueAt(value, section))).flatMap(([path, item]) =>
      Object.entries(toMap(item))
        .filter(([method]) => methods.includes(method))
        .map(([method, operation]) => ({ method, path, id: valueAt(operation, 'operationId') })),
    ),
  );
}

const toMap = (value: Data | undefined): { [key: string]: Data } => (isMap(value) ? value : {});

/** Examples are data of others. */
function listReferences(value: Data | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(listReferences);
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === '$ref' && typeof child === 'string') return child.startsWith('#/') ? [child] : [];
    return /^(?:examples?|default|enum|const|x-.*)$/.test(key) ? [] : listReferences(child);
  });
}
