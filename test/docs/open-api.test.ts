import { expect, test } from 'vitest';
import { checkChange } from '../../src/docs/check-change.ts';
import { createOpenApiReader } from '../../src/docs/formats/open-api.ts';
import { type Files, listProblems, toTree } from './support/check-files.ts';
import { rowsOf } from './support/rows-of.ts';

const operation = { responses: { 200: { $ref: '#/components/responses/Ok' } } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const describe = (changes: object = {}) =>
  `${JSON.stringify(
    {
      openapi: '3.1.0',
      info: { title: 'Acme', version: '1' },
      paths: {
        '/users': { get: { operationId: 'listUsers', ...operation }, post: { operationId: 'addUser', ...operation } },
        '/users/{id}': { get: { operationId: 'getUser', ...operation }, parameters: [id] },
      },
      components: { responses: { Ok: { description: 'It worked.' } } },
      ...changes,
    },
    null,
    2,
  )}\n`;

const mintlify: Files = {
  'docs.json': '{"navigation":{"pages":["index"]}}',
  'index.mdx': 'Home\n',
  'api/openapi.json': describe(),
  'api/users.mdx': '---\nopenapi: api/openapi.json GET /users/{userId}\n---\n',
  'api/add.mdx': '---\nopenapi: "POST /users"\n---\n',
};
const fern: Files = {
  'fern/fern.config.json': '{}',
  'fern/docs.yml': 'navigation:\n  - page: Home\n    path: home.mdx\n',
  'fern/home.mdx': "---\ntitle: Home\n---\n\n<EndpointRequestSnippet endpoint='GET /users' />\n",
  'fern/openapi.yml': 'openapi: 3.0.0\npaths:\n  /users:\n    get: {}\n',
};
const onlyAdd = { paths: { '/users': { post: operation } } };

test.each(
  rowsOf<{ base: Files; change: Record<string, string | null>; problems: string[] }>({
    'an operation that a page names, and that a change takes away': {
      base: mintlify,
      change: { 'api/openapi.json': describe(onlyAdd) },
      problems: [
        'should api api/users.mdx:1 no API description here has the operation GET /users/{userId}, which this page names',
      ],
    },
    'an operation that a new page names in vain': {
      base: mintlify,
      change: { 'api/less.mdx': '---\nopenapi: DELETE /users\n---\n' },
      problems: [
        'should api api/less.mdx:1 no API description here has the operation DELETE /users, which this page names',
      ],
    },
    'a snippet of Fern for an operation that is gone': {
      base: fern,
      change: { 'fern/openapi.yml': 'openapi: 3.0.0\npaths:\n  /people:\n    get: {}\n' },
      problems: [
        'should api fern/home.mdx:5 no API description here has the operation GET /users, which this page names',
      ],
    },
    'a description that is not YAML': {
      base: fern,
      change: { 'fern/openapi.yml': 'openapi: 3.0.0\npaths:\n  /users: get: {}\n' },
      problems: [expect.stringMatching(/^must api fern\/openapi\.yml:3 the API description is not valid YAML: /)],
    },
    'a component that a description refers to and has no more': {
      base: mintlify,
      change: { 'api/openapi.json': describe({ components: {} }) },
      problems: [
        'must api api/openapi.json:31 the API description refers to #/components/responses/Ok, which it does not have',
      ],
    },
    'an operationId that a description has twice': {
      base: mintlify,
      change: { 'api/openapi.json': describe().replace('getUser', 'addUser') },
      problems: ['should api api/openapi.json:28 two operations of the API description have the operationId addUser'],
    },
    'what OpenAPI forbids, once for each rule': {
      base: mintlify,
      change: {
        'api/openapi.json': describe({
          paths: {
            users: {},
            '/users': {
              post: {
                ...operation,
                sumary: 'Add a user',
                parameters: [{ name: 'id', in: 'path', schema: { type: 'int', required: true } }],
              },
              get: { responses: { 200: {}, 404: {}, ok: {} } },
            },
            '/users/{id}': {
              get: { ...operation, parameters: [{ $ref: '#/paths/~1users~1{id}/put/parameters/0' }] },
              put: { ...operation, parameters: [id] },
              delete: { ...operation, parameters: [{ $ref: 'other.yaml' }] },
            },
            '/teams/{team}': { get: operation },
          },
        }),
      },
      problems: [
        'paths › /teams/{team} › get has no parameter for {team} of its path',
        'paths › users is no key for this map: it must begin with /',
        'paths › /users › post › sumary is no field of an operation. Did you mean summary?',
        'paths › /users › post › parameters › 0 › schema › type must be array, boolean, integer, number, object, string or null, and is "int"',
        'paths › /users › post › parameters › 0 › schema › required must be a list, and is true',
        'paths › /users › post › parameters › 0 is in the path, so it needs required: true',
        'paths › /users › get › responses › 200 has no description, which a response needs (and 1 more like it)',
        'paths › /users › get › responses › ok is no key for this map: it must be default, a status such as 404, or 4XX',
      ].map((message) =>
        expect.stringMatching(
          new RegExp(`^should api api/openapi\\.json:\\d+ not valid OpenAPI: ${RegExp.escape(message)}$`),
        ),
      ),
    },
    'in YAML, with its line, what came with OpenAPI 3.1': {
      base: fern,
      change: {
        'fern/openapi.yml':
          'openapi: 3.0.0\npaths:\n  /users:\n    get:\n      parameters:\n        - name: id\n          in: query\n          schema:\n            type: [string, "null"]\n',
      },
      problems: [
        'should api fern/openapi.yml:9 not valid OpenAPI: paths › /users › get › parameters › 0 › schema › type must be array, boolean, integer, number, object or string, and is a list',
      ],
    },
  }),
)('$name is told', ({ base, change, problems }) => {
  expect(listProblems(base, change)).toEqual(problems);
});

test.each(
  rowsOf<{ base: Files; change: Record<string, string | null> }>({
    'an operation, where the settings name a description on the web': {
      base: {
        ...mintlify,
        'docs.json': '{"navigation":{"pages":["index"]},"api":{"openapi":"https://acme.test/api.json"}}',
      },
      change: { 'api/less.mdx': '---\nopenapi: DELETE /users\n---\n' },
    },
    'an operation of a description that a build makes': {
      base: mintlify,
      change: { 'api/less.mdx': '---\nopenapi: made.json DELETE /users\n---\n' },
    },
    'a reference in an example': {
      base: mintlify,
      change: { 'api/openapi.json': describe({ 'x-more': { $ref: '#/none' } }) },
    },
    'what was wrong before': {
      base: { ...mintlify, 'api/openapi.json': describe({ components: {} }) },
      change: { 'api/openapi.json': describe({ components: {}, tags: [] }) },
    },
    'a new path that lacks what an old one lacks': {
      base: {
        ...mintlify,
        'api/openapi.json': describe({ paths: { ...onlyAdd.paths, '/a': { get: { responses: {} } } } }),
      },
      change: {
        'api/openapi.json': describe({
          paths: { ...onlyAdd.paths, '/a': { get: { responses: {} } }, '/b': { get: { responses: {} } } },
        }),
      },
    },
    'a field of their own, a part in another file, and a keyword of JSON Schema': {
      base: mintlify,
      change: {
        'api/openapi.json': describe({
          'x-more': { a: 1 },
          tags: [{ name: 'users', 'x-icon': 'user' }],
          components: {
            responses: { Ok: { $ref: 'responses/ok.yaml' } },
            schemas: { Id: { type: ['string', 'null'], propertyNames: { minLength: 1 } }, Any: true },
          },
        }),
      },
    },
    'data that only looks like a description': {
      base: mintlify,
      change: { 'data.json': '{ "openapi": true, "a" }\n' },
    },
  }),
)('$name is no problem', ({ base, change }) => {
  expect(listProblems(base, change)).toEqual([]);
});

test('a check of everything tells the faults of a description that no change touches', () => {
  const tree = toTree({ ...mintlify, 'api/openapi.json': describe({ components: {} }) });
  const kinds = checkChange({ base: tree, head: tree }, { all: true }).problems.map(({ kind }) => kind);
  expect(kinds).toContain('api');
  expect(checkChange({ base: tree, head: tree }).problems).toEqual([]);
});

test.each([
  ['Swagger 2.0', { openapi: undefined, swagger: '2.0' }, 'only OpenAPI 3.0 and 3.1 are known'],
  ['OpenAPI 3.2', { openapi: '3.2.0', info: 1 }, 'only OpenAPI 3.0 and 3.1 are known'],
  ['another dialect', { jsonSchemaDialect: 'https://acme.test/', info: 1 }, 'its schemas are of another dialect'],
])('a description of %s is left alone, and the check says so', (_, changes, reason) => {
  const [base, head] = [toTree(mintlify), toTree({ ...mintlify, 'api/openapi.json': describe(changes) })];
  const { problems, notChecked } = checkChange({ base, head });
  expect(problems).toEqual([]);
  expect(notChecked).toEqual([`Not checked: whether api/openapi.json is valid OpenAPI, because ${reason}.`]);
});

test('a description is read again only when its text has changed', () => {
  const read = createOpenApiReader();
  const [base, head] = [describe(), describe({ servers: [] })];
  const first = read('openapi.json', base);
  read('openapi.json', head);
  expect(read('openapi.json', base)).toBe(first);
  expect(read('other.json', base)).not.toBe(first);
  expect(first).toEqual(read('openapi.yaml', base));
});
