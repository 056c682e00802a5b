import { findNearest } from '../../find-nearest-name.ts';
import { decodeAddress } from '../decode-address.ts';
import { type Data, isMap } from './data.ts';

/** One rule that a description breaks: `rule` names it, `keys` lead to its first place. */
export interface OpenApiFault {
  rule: string;
  keys: string[];
  message: string;
}

/**
 * The objects of https://spec.openapis.org/oas/v3.0.4.html and v3.1.1.html with their fields: `!` must be there, `^` came with 3.1, `-` went with it.
 * `[x]` is a list and `{x}` a map of x, `a|b` a choice of words. Without a kind, a field is text.
 */
const objects = {
  description:
    'openapi! info!:info servers:[server] paths:paths webhooks^:{path-item} components:components security:[{[text]}] tags:[tag] externalDocs:external-documentation jsonSchemaDialect^',
  info: 'title! version! summary^ description termsOfService contact:contact license:license',
  contact: 'name url email',
  license: 'name! url identifier^',
  server: 'url! description variables:{server-variable}',
  'server-variable': 'default! enum:[text] description',
  components:
    'schemas:{schema} responses:{response} parameters:{parameter} examples:{example} requestBodies:{request-body} headers:{header} securitySchemes:{security-scheme} links:{link} callbacks:{callback} pathItems^:{path-item}',
  'path-item':
    'summary description get:operation put:operation post:operation delete:operation options:operation head:operation patch:operation trace:operation servers:[server] parameters:[parameter]',
  operation:
    'tags:[text] summary description externalDocs:external-documentation operationId parameters:[parameter] requestBody:request-body responses:responses callbacks:{callback} deprecated:boolean security:[{[text]}] servers:[server]',
  'external-documentation': 'url! description',
  parameter:
    'name! in!:path|query|header|cookie description required:boolean deprecated:boolean allowEmptyValue:boolean style:matrix|label|form|simple|spaceDelimited|pipeDelimited|deepObject explode:boolean allowReserved:boolean schema:schema example:any examples:{example} content:{media-type}',
  header:
    'description required:boolean deprecated:boolean allowEmptyValue:boolean style explode:boolean allowReserved:boolean schema:schema example:any examples:{example} content:{media-type}',
  'request-body': 'content!:{media-type} description required:boolean',
  'media-type': 'schema:schema example:any examples:{example} encoding:{encoding}',
  encoding: 'contentType headers:{header} style explode:boolean allowReserved:boolean',
  response: 'description! headers:{header} content:{media-type} links:{link}',
  example: 'summary description value:any externalValue',
  link: 'operationId operationRef parameters:any requestBody:any description server:server',
  tag: 'name! description externalDocs:external-documentation',
  'security-scheme':
    'type!:apiKey|http|oauth2|openIdConnect|mutualTLS description name in:query|header|cookie scheme bearerFormat flows:flows openIdConnectUrl',
  flows: 'implicit:flow password:flow clientCredentials:flow authorizationCode:flow',
  flow: 'scopes!:{text} authorizationUrl tokenUrl refreshUrl',
  schema:
    'title description format default:any type:type multipleOf:number maximum:number minimum:number exclusiveMaximum:limit exclusiveMinimum:limit maxLength:number minLength:number pattern maxItems:number minItems:number uniqueItems:boolean maxProperties:number minProperties:number required:[text] enum:[any] not:schema allOf:[schema] oneOf:[schema] anyOf:[schema] items:schema properties:{schema} additionalProperties:schema nullable-:boolean discriminator:discriminator readOnly:boolean writeOnly:boolean example:any externalDocs:external-documentation deprecated:boolean xml:xml examples^:[any] patternProperties^:{schema} prefixItems^:[schema] $defs^:{schema}',
  discriminator: 'propertyName! mapping:{text}',
  xml: 'name namespace prefix attribute:boolean wrapped:boolean',
} as const;

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface Field {
  kind: string;
  isNeeded: boolean;
  /** The versions that have it; empty: both. */
  since: string;
}

const fieldsOf = new Map(
  Object.entries(objects).map(([name, fields]) => [name, new Map(fields.split(' ').map(readField))] as const),
);

function readField(text: string): [string, Field] {
  const [written = '', kind = 'text'] = text.split(/:(.*)/);
  const name = written.replace(/[!^-]$/, '');
  return [name, { kind, isNeeded: written.endsWith('!'), since: written.slice(name.length).replace('!', '') }];
}

const plainKinds: Record<string, { words: string; test: (value: Data) => boolean }> = {
  text: { words: 'text', test: (value) => typeof value === 'string' },
  boolean: { words: 'true or false', test: (value) => typeof value === 'boolean' },
  number: { words: 'a number', test: (value) => typeof value === 'number' },
  any: { words: 'anything', test: () => true },
};
const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const isPath = { test: /^\//, words: 'begin with /' };
const isStatus = { test: /^(?:default|[1-5](?:\d\d|XX))$/, words: 'be default, a status such as 404, or 4XX' };
const isName = { test: /^[\w.-]+$/, words: 'have only letters, digits, dots, hyphens and underscores' };

/** What the version that a description says forbids. Linear; `$ref` and what stands beside it are left alone. */
export function listOpenApiFaults(description: Data, version: '3.0' | '3.1'): OpenApiFault[] {
  const found = new Map<string, OpenApiFault & { count: number }>();
  const isNewer = version === '3.1';

  function report(rule: string, keys: string[], message: string) {
    const known = found.get(rule);
    if (known) known.count += 1;
    else found.set(rule, { rule, keys, message: `${keys.join(' › ') || 'it'} ${message}`, count: 1 });
  }

  function visit(value: Data, kind: string, keys: string[], rule = kind): void {
    if (kind.startsWith('[')) {
      if (!Array.isArray(value)) {
        reportKind(rule, keys, 'a list', value);
        return;
      }
      for (const [at, item] of value.entries()) visit(item, kind.slice(1, -1), [...keys, String(at)], rule);
    } else if (kind.startsWith('{') || kind === 'paths' || kind === 'responses' || kind === 'callback') {
      visitMap(value, kind, keys, rule);
    } else if (kind === 'type') {
      const names = isNewer && Array.isArray(value) ? value : [value];
      const known = isNewer ? [...types, 'null'] : types;
      for (const name of names) {
        if (typeof name !== 'string' || !known.includes(name)) reportKind(rule, keys, listWords(known), name);
      }
    } else if (kind === 'limit') visit(value, isNewer ? 'number' : 'boolean', keys, rule);
    else if (kind.includes('|')) {
      const words = kind.split('|').filter((word) => isNewer || word !== 'mutualTLS');
      if (typeof value !== 'string' || !words.includes(value)) reportKind(rule, keys, listWords(words), value);
    } else if (Object.hasOwn(plainKinds, kind)) {
      const plain = plainKinds[kind];
      if (plain?.test(value) === false) reportKind(rule, keys, plain.words, value);
    } else visitObject(value, kind, keys);
  }

  function visitMap(value: Data, kind: string, keys: string[], rule: string): void {
    if (!isMap(value)) {
      reportKind(rule, keys, 'a map', value);
      return;
    }
    if (Object.hasOwn(value, '$ref')) return;
    const must = kind === 'paths' ? isPath : kind === 'responses' ? isStatus : undefined;
    const inner = { paths: 'path-item', responses: 'response', callback: 'path-item' }[kind] ?? kind.slice(1, -1);
    const names = Object.keys(value).filter((name) => !isExtension(name));
    if (kind === 'responses' && Object.keys(value).length === 0)
      report('responses empty', keys, 'is empty: an operation needs a response, at least default');
    if (kind === 'paths') for (const name of names) reportTemplates(value[name] ?? null, [...keys, name], name);
    for (const name of names) {
      const at = [...keys, name];
      const rules = keys.length === 1 && keys[0] === 'components' ? isName : must;
      if (rules?.test.test(name) === false) report(`${kind} key`, at, `is no key for this map: it must ${rules.words}`);
      else visit(value[name] ?? null, inner, at, `${rule} ${inner}`);
    }
  }

  /** Names in braces that no parameter has. Where parameters stand in other files, nobody knows. */
  function reportTemplates(item: Data, keys: string[], path: string): void {
    if (!isMap(item) || Object.hasOwn(item, '$ref') || Object.hasOwn(item, '<<')) return;
    const names = Array.from(path.matchAll(/\{([^{}]{1,99})\}/g), ([, name = '']) => name);
    for (const method of methods) {
      const operation = item[method];
      if (!isMap(operation) || Object.hasOwn(operation, '<<')) continue;
      const written = [item.parameters, operation.parameters].flatMap((list) => (Array.isArray(list) ? list : []));
      const parameters = written.map((each) => {
        const reference = isMap(each) ? each.$ref : undefined;
        return typeof reference === 'string' ? follow(description, reference) : each;
      });
      const known = parameters.map((each) => (isMap(each) && typeof each.name === 'string' ? each.name : undefined));
      for (const name of names.filter((each) => !known.includes(undefined) && !known.includes(each)))
        report('path template', [...keys, method], `has no parameter for {${name}} of its path`);
    }
  }

  function visitObject(value: Data, name: string, keys: string[]): void {
    if (name === 'schema' && typeof value === 'boolean') return;
    if (!isMap(value)) {
      reportKind(name, keys, `a map with the fields of ${nameOf(name)}`, value);
      return;
    }
    if (Object.hasOwn(value, '$ref')) {
      visit(value.$ref ?? null, 'text', [...keys, '$ref'], '$ref');
      return;
    }
    // YAML merges into it what stands elsewhere.
    if (Object.hasOwn(value, '<<') || Object.hasOwn(value, '$schema')) return;
    const fields = fieldsOf.get(name) ?? new Map<string, Field>();
    const isOpen = name === 'discriminator' || (name === 'schema' && isNewer);
    for (const [key, child] of Object.entries(value)) {
      const field = fields.get(key);
      const isKnown = field !== undefined && field.since !== (isNewer ? '-' : '^');
      if (isKnown) visit(child, field.kind, [...keys, key], `${name} ${key}`);
      else if (!isOpen && !isExtension(key))
        report(`${name} has ${key}`, [...keys, key], describeUnknown(key, name, field));
    }
    const needed = [...fields].flatMap(([key, { isNeeded }]) => (isNeeded ? [key] : []));
    for (const key of [...needed, ...listConditions(name, value, keys)]) {
      if (!Object.hasOwn(value, key))
        report(`${name} lacks ${key}`, keys, `has no ${key}, which ${nameOf(name)} needs`);
    }
    if (name === 'parameter' && value.in === 'path' && value.required !== true)
      report('path parameter', keys, 'is in the path, so it needs required: true');
  }

  /** Fields that these values need, or one of which they need. */
  function listConditions(name: string, value: { [key: string]: Data }, keys: string[]): string[] {
    const hasNone = (...names: string[]) => names.every((each) => !Object.hasOwn(value, each));
    if (name === 'description' && (isNewer ? hasNone('paths', 'components', 'webhooks') : hasNone('paths')))
      return ['paths'];
    if (name === 'operation' && !isNewer) return ['responses'];
    if ((name === 'parameter' || name === 'header') && hasNone('schema', 'content')) return ['schema'];
    if (name === 'security-scheme') return (typeof value.type === 'string' && neededOf[value.type]) || [];
    return (name === 'flow' && neededOf[keys.at(-1) ?? '']) || [];
  }

  function describeUnknown(key: string, name: string, field: Field | undefined): string {
    if (field?.since === '^') return `is no field of OpenAPI 3.0: it came with 3.1`;
    const known = [...(fieldsOf.get(name) ?? [])].flatMap(([each, { since }]) =>
      since === '^' && !isNewer ? [] : [each],
    );
    const near = findNearest(key, known);
    return `is no field of ${nameOf(name)}. ${near === undefined ? 'Fields of your own begin with x-' : `Did you mean ${near}?`}`;
  }

  function reportKind(rule: string, keys: string[], words: string, value: Data): void {
    report(`${rule} kind`, keys, `must be ${words}, and is ${describeValue(value)}`);
  }

  visit(description, 'description', []);
  return [...found.values()].map(({ count, message, ...fault }) => ({
    ...fault,
    message: count === 1 ? message : `${message} (and ${count - 1} more like it)`,
  }));
}

const neededOf: Record<string, string[]> = {
  apiKey: ['name', 'in'],
  http: ['scheme'],
  oauth2: ['flows'],
  openIdConnect: ['openIdConnectUrl'],
  implicit: ['authorizationUrl'],
  password: ['tokenUrl'],
  clientCredentials: ['tokenUrl'],
  authorizationCode: ['authorizationUrl', 'tokenUrl'],
};

const isExtension = (name: string) => name.startsWith('x-');
const nameOf = (name: string) =>
  name === 'description' ? 'a description' : `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name.replaceAll('-', ' ')}`;

const listWords = (words: readonly string[]) => words.join(', ').replace(/, (?=[^,]*$)/, ' or ');

function describeValue(value: Data): string {
  if (value === null) return 'empty';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'a map';
  return JSON.stringify(value).slice(0, 60);
}

/** https://datatracker.ietf.org/doc/html/rfc6901 */
export function follow(value: Data | undefined, reference: string): Data | undefined {
  const keys = reference
    .slice(2)
    .split('/')
    .map((key) => decodeAddress(key).replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<Data | undefined>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isMap(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, value);
}
