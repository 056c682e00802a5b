import { expect, test } from 'vitest';
import type { Exchange } from '../../local/github/api/exchange.ts';
import { createInspector } from './create-inspector.ts';
import { createSample, type SampleOptions } from './create-sample.ts';
import { readDescription } from './read-description.ts';

const description = readDescription();
const inspector = createInspector(description);
const options: SampleOptions = { nulls: 'leaves', optional: 'missing', alternative: 0 };
const sample = (schema: unknown) => Object(createSample(description, schema, options));

const comments = '/repos/acme/docs/issues/7/comments';
const operation = description.findOperation('POST', comments);
const exchange: Exchange = {
  method: 'POST',
  path: comments,
  query: {},
  body: { body: 'Done.' },
  status: 201,
  answer: sample(operation?.success.schema),
};
const answer = Object(exchange.answer);

test.each<[string, Partial<Exchange>, RegExp | undefined]>([
  ['the truth', {}, undefined],
  ['an error that GitHub leaves out', { status: 401, answer: { message: 'Bad credentials' } }, undefined],
  ['a path that GitHub lacks', { path: '/repos/acme/docs/remarks' }, /the route is not described/],
  ['an unknown parameter', { query: { page: '2' } }, /query.*additionalProperty":"page"/],
  ['an unknown field in the request', { body: { body: 'Done.', text: '' } }, /request.*unevaluatedProperty":"text"/],
  ['a missing body', { body: undefined }, /lacks a body/],
  ['a number as a comment', { body: { body: 7 } }, /request\/body must be string/],
  ['a missing field in the answer', { answer: { ...answer, html_url: undefined } }, /required property 'html_url'/],
  ['a null that may not be', { answer: { ...answer, created_at: null } }, /answer\/created_at must be string/],
  ['an address that is none', { answer: { ...answer, html_url: 'here' } }, /html_url must match format "uri"/],
  ['another status', { status: 200 }, /the status is not described/],
  ['an error of another shape', { status: 422, answer: [] }, /answer.*must be object/],
])('%s', (_name, change, violation) => {
  const found = inspector.inspectExchange({ ...exchange, ...change }).join('\n');
  if (violation) expect(found).toMatch(violation);
  else expect(found).toBe('');
});

test('a webhook with an organization that looks like an account', () => {
  const name = { event: 'pull_request', action: 'closed' };
  const payload = sample(description.findWebhookSchema(name.event, name.action));
  expect(inspector.inspectDelivery({ ...name, payload })).toEqual([]);
  const lie = { ...payload, organization: payload.sender };
  expect(inspector.inspectDelivery({ ...name, payload: lie }).join('\n')).toMatch(
    /\/organization must have .*hooks_url/,
  );
  expect(inspector.inspectDelivery({ ...name, action: 'forgotten', payload }).join('\n')).toMatch(/not described/);
});
