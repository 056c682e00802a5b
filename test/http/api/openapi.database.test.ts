import { expect, test } from 'vitest';
import { z } from 'zod';
import { webhookEvents } from '../../../src/store/tables/columns.ts';
import { openApi } from '../../support/doors/open-api.ts';

const operationShape = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.unknown()).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ content: z.record(z.string(), z.unknown()).default({}), headers: z.unknown() }),
  ),
});
const documentShape = z.looseObject({
  openapi: z.string().startsWith('3.1'),
  security: z.tuple([z.strictObject({ apiKey: z.array(z.never()) })]),
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.looseObject({ apiKey: z.looseObject({ type: z.literal('http'), scheme: z.literal('bearer') }) }),
  }),
});

const { api } = await openApi();
const document = documentShape.parse((await api.call('GET', '/openapi.json')).body);

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );

test('every described operation exists, and requires a key if described so', async () => {
  expect(operations().length).toBeGreaterThan(15);
  for (const { path, method, operation } of operations()) {
    const { status } = await api.call(method, path.replaceAll(/[{}]/g, ''));
    expect([path, status]).toEqual([path, operation.security ? 200 : 401]);
  }
});

const ofBody = ['408', '411', '413', '415'];
const ofAccepted = ['409', '422', '429'];
const ofAcceptance: Record<string, string[]> = { createJob: ofAccepted, addMessage: ofAccepted };
/** Beside those that every operation of a project has. */
const ownProblems: Record<string, string[]> = {
  unarchiveJob: ['409'],
  listEvents: ['410', '429'],
  getDiff: ['409'],
  runAutomation: ['409', '422', '429'],
  createWebhook: ['409'],
  rotateWebhookSecret: ['409'],
  testWebhook: ['409'],
  redeliverWebhook: ['409'],
};

const typesOf: Record<string, string[]> = {
  listEvents: ['application/json', 'text/event-stream'],
  getDiff: ['text/x-diff', 'application/json'],
  removeWebhook: [],
};

test('every answer of the job operations is described, problems as problem+json', () => {
  const jobs = operations().filter(({ path }) => path.startsWith('/v2/'));
  for (const { method, operation } of jobs) {
    const statuses = Object.keys(operation.responses);
    const isCounted = operation.operationId in ofAcceptance;
    const own = ofAcceptance[operation.operationId] ?? ownProblems[operation.operationId] ?? [];
    const expected = [
      ...own,
      ...(method === 'POST' ? ofBody : []),
      '400',
      '401',
      '404',
      '417',
      '431',
      '500',
      '503',
    ].sort();
    expect(statuses.filter((status) => status >= '400')).toEqual(expected);
    for (const [status, { content, headers }] of Object.entries(operation.responses)) {
      const types = typesOf[operation.operationId] ?? ['application/json'];
      expect(Object.keys(content)).toEqual(status < '400' ? types : ['application/problem+json']);
      expect(headers).toHaveProperty('x-request-id');
      if (isCounted && (status < '300' || status === '429')) expect(headers).toHaveProperty('RateLimit');
      if (status === '429' || status === '503') expect(headers).toHaveProperty('Retry-After');
      if (status === '401') expect(headers).toHaveProperty('WWW-Authenticate');
      if (status === '201') expect(headers).toHaveProperty('Location');
    }
  }
});

test('the schemas match the request checks', () => {
  const { CreateJob: createJob, Job: job } = document.components.schemas;
  expect(createJob).toMatchObject({
    required: ['prompt'],
    properties: {
      prompt: { type: 'string', minLength: 1, maxLength: 32_000 },
      ref: { type: 'string' },
      model: { type: 'string' },
      draft: { type: 'boolean' },
    },
  });
  expect(job).toMatchObject({ required: ['id', 'status', 'source', 'model', 'prLink', 'createdAt', 'archivedAt'] });
});

test('the description tells what webhooks receive', () => {
  const { webhooks } = z
    .looseObject({ webhooks: z.record(z.string(), z.looseObject({ post: z.unknown() })) })
    .parse(document);
  expect(Object.keys(webhooks).toSorted()).toEqual([...webhookEvents, 'webhook.test'].toSorted());
});

test('what is answered and what webhooks get has one name, and may get new members', () => {
  const { schemas } = document.components;
  expect(Object.keys(schemas).filter((name) => name.endsWith('Output'))).toEqual([]);
  const closed = Object.keys(schemas).filter((name) =>
    JSON.stringify(schemas[name]).includes('"additionalProperties":false'),
  );
  expect(closed).toEqual(['CreateJob', 'AddMessage', 'RunAutomation', 'CreateWebhook']);
});

test('each type of event has its data', () => {
  const { Event: event, RunEndedEvent: ended } = document.components.schemas;
  expect(event).toMatchObject({ anyOf: expect.arrayContaining([{ $ref: '#/components/schemas/JobCreatedEvent' }]) });
  expect(ended).toMatchObject({
    properties: { type: { const: 'run.ended' }, data: { required: expect.arrayContaining(['outcome', 'code']) } },
  });
});

test('promise 7: the public description names no model', () => {
  expect(JSON.stringify(document)).not.toMatch(/gpt-5/);
});

test('every reference resolves', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
  expect(references.length).toBeGreaterThan(10);
  for (const path of references) {
    const target = path
      .split('/')
      .reduce<unknown>((at, name) => z.record(z.string(), z.unknown()).parse(at)[name], document);
    expect(target, path).toBeDefined();
  }
});
