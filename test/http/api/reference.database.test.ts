import { createConfig, lintFromString } from '@redocly/openapi-core';
import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { documentShape } from '../../../src/http/api/description/document-shape.ts';
import { createOpenApi } from '../../../src/http/api/description/openapi.ts';
import { showReference } from '../../../src/http/api/reference/reference-page.ts';
import { startApi } from '../../support/doors/api.ts';
import { openApi } from '../../support/doors/open-api.ts';

const { db, api } = await openApi({ publicUrl: 'https://pagewright.acme.dev' });
const document = documentShape.parse((await api.call('GET', '/openapi.json')).body);
const page = await api.call('GET', '/docs');

async function lint(source: string) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
}

test('the description passes the recommended rules of Redocly, and a broken one does not', async () => {
  expect(await lint(JSON.stringify(document))).toEqual([]);
  expect(await lint(JSON.stringify(createOpenApi()))).toEqual([]);
  expect(await lint(JSON.stringify({ ...document, servers: [] }))).not.toEqual([]);
  const wrong = JSON.stringify(document).replaceAll('"nextCursor":null', '"nextCursor":7');
  expect(await lint(wrong)).not.toEqual([]);
});

test('the description names the public address, and without one its own', () => {
  expect(document.servers).toMatchObject([{ url: 'https://pagewright.acme.dev' }]);
  expect(createOpenApi().servers).toMatchObject([{ url: '/' }]);
});

test('every body of the description has an example', () => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const { requestBody, responses } of Object.values(methods))
      for (const { content } of [...(requestBody ? [requestBody] : []), ...Object.values(responses)])
        for (const [type, { example, examples }] of Object.entries(content))
          expect(example ?? examples, `${path} ${type}`).toBeDefined();
});

const nodeShape = z.looseObject({
  tagName: z.string().default(''),
  attrs: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
  childNodes: z.array(z.unknown()).default([]),
});

/** The elements of the page, with their attributes. */
function listElements(node: unknown): { name: string; attributes: Map<string, string> }[] {
  const { tagName, attrs, childNodes } = nodeShape.parse(node);
  const own = { name: tagName, attributes: new Map(attrs.map(({ name, value }) => [name, value])) };
  return [own, ...childNodes.flatMap(listElements)];
}

test('the reference page shows every operation, parameter, schema and kind of problem', () => {
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const ids = listElements(parse(page.text)).flatMap(({ attributes }) => attributes.get('id') ?? []);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  for (const { operationId, parameters } of operations) {
    expect(ids).toContain(operationId);
    for (const { name } of parameters) expect(page.text).toContain(`<code>${name}</code>`);
  }
  for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`);
  for (const [, kind] of JSON.stringify(document).matchAll(/urn:pagewright:problem:([a-z-]+)/g))
    expect(ids).toContain(`problem-${kind}`);
});

test('each link of the reference page leads somewhere, and each id is there once', () => {
  const elements = listElements(parse(page.text));
  const ids = elements.flatMap(({ attributes }) => attributes.get('id') ?? []);
  expect(new Set(ids).size).toBe(ids.length);
  const links = elements.flatMap(({ attributes }) => attributes.get('href') ?? []);
  expect(links.length).toBeGreaterThan(40);
  const broken = links.filter((link) => !/^https:|^\/(?:openapi\.json)?$/.test(link) && !ids.includes(link.slice(1)));
  expect(broken).toEqual([]);
});

test('the reference page runs and fetches nothing, under a strict policy', () => {
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https:|\*/);
  const elements = listElements(parse(page.text));
  expect(elements.filter(({ name }) => ['script', 'link', 'img', 'iframe', 'object'].includes(name))).toEqual([]);
  expect(
    elements.filter(({ attributes }) => [...attributes.keys()].some((name) => /^on|^style$|^src$/.test(name))),
  ).toEqual([]);
});

test('the reference page shows each operation as a command, and each answer', () => {
  const shown = page.text
    .replaceAll(/<\/?i\b[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'");
  const address = 'https://pagewright.acme.dev/v2/agent/$PAGEWRIGHT_PROJECT';
  expect(shown).toContain(
    `curl "${address}/job" \\\n  -H "Authorization: Bearer $PAGEWRIGHT_KEY" \\\n  -H 'Idempotency-Key: a-new-one-for-each-instruction'`,
  );
  expect(shown).toContain(`curl -N "${address}/job/$JOB/events"`);
  expect(shown).toContain(`curl -X DELETE "${address}/webhook/$WEBHOOK"`);
  expect(shown).toContain('id: 4\nevent: turn.answered\ndata: {"seq":4');
  expect(shown).toContain('"prLink": "https://github.com/acme/docs/pull/7"');
});

test('the commands of the reference page name no address if the service has none', () => {
  expect(showReference(createOpenApi()).html).toContain('$PAGEWRIGHT_URL/v2/agent/$PAGEWRIGHT_PROJECT/job');
});

test('a worker has no reference page', async () => {
  await using worker = await startApi({ store: db.store, role: 'worker' });
  expect((await worker.call('GET', '/docs')).status).toBe(404);
});
