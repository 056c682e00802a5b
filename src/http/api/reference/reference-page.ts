import { type Html, html } from '../../pages/html.ts';
import { type ApiDocument, nameOfSchema, type Operation, resolveSchema } from '../description/document-shape.ts';
import { referenceCss } from './reference-css.ts';
import { renderChapters, renderInline } from './render-text.ts';
import { type Listed, listKinds, showOperation } from './show-operation.ts';
import { showSchema } from './show-schema.ts';

/** The description as one page: chapters, each operation with samples, problems, schemas. Runs no script. */
export function showReference(document: ApiDocument): Html {
  const { info, servers, tags, components } = document;
  const operations = listOperations(document.paths);
  const events = listOperations(document.webhooks);
  const sent = operations.flatMap(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema && nameOfSchema(schema)),
  );
  const { lead, chapters } = renderChapters(info.description);
  const url = servers[0]?.url ?? '/';
  const server = url === '/' ? '$PAGEWRIGHT_URL' : url.replace(/\/$/, '');
  const groups = tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Pagewright</title>
<style>${{ html: referenceCss }}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><a class="brand" href="/">Pagewright <span>API</span></a> <span class="version">${info.version}</span>
<a class="menu" href="#contents">Contents</a>
<nav id="contents" aria-label="Contents">
<p>Start here</p>
<ul>${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
${groups.map((group) => showGroup(group.name, group.operations))}
${showGroup('sent to webhooks', events)}
<p>Details</p>
<ul><li><a href="#problems">Problems</a></li>
<li><a href="#schemas">Schemas</a></li>
<li><a href="/openapi.json">OpenAPI 3.1</a></li></ul>
</nav></header>
<main id="main">
<div class="prose">
<h1>API reference</h1>
${lead}
<p>This page shows <a href="/openapi.json"><code>/openapi.json</code></a>, from which generators make clients of many languages.${url !== '/' && html` This service is at <code>${url}</code>.`}</p>
</div>
${chapters.map(({ id, title, body }) => html`<div class="prose"><h2 id="${id}">${title}</h2>\n${body}</div>\n`)}
${groups.map(
  ({ name, description, operations: own }) => html`<h2 id="${name}">${capitalize(name)}</h2>
<p>${renderInline(description)}</p>
${own.map((listed) => showOperation(listed, document, server))}`,
)}
<h2 id="sent">Sent to webhooks</h2>
<p>What Pagewright sends to your <a href="#createWebhook">webhooks</a>.</p>
${events.map((listed) => showOperation(listed, document, null))}
<h2 id="problems">Problems</h2>
<p>Every error is <code>application/problem+json</code>: <a href="#schema-Problem">Problem</a>. Its <code>type</code> is <code>urn:pagewright:problem:</code> and one of these, which never change.</p>
${showProblems(operations)}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(
  ([
    name,
    schema,
  ]) => html`<section class="schema" aria-labelledby="schema-${name}"><h3 id="schema-${name}"><a href="#schema-${name}">${name}</a></h3>
${showSchema(resolveSchema(schema, document), document, { isSent: sent.includes(name) })}</section>\n`,
)}
</main>
</body>
</html>
`;
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const listOperations = (paths: ApiDocument['paths']): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const showGroup = (title: string, operations: readonly Listed[]): Html => html`<p>${capitalize(title)}</p>
<ul>
${operations.map(({ method, path, operation }) => html`<li><a href="#${operation.operationId}"><span>${path.startsWith('/') ? operation.summary : path}</span> <b class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</b></a></li>\n`)}
</ul>
`;

/** Each kind once, from the examples of all operations. */
function showProblems(operations: readonly Listed[]): Html {
  const meanings = new Map<string, string>();
  for (const { operation } of operations)
    for (const [status, kind] of listKinds(Object.entries(operation.responses)))
      meanings.set(`${status} ${kind}`, meaningOf(operation, status, kind));
  const rows = [...meanings].sort().map(([key, meaning]) => {
    const [status = '', kind = ''] = key.split(' ');
    return html`<dt id="problem-${kind}"><b>${status}</b> <code>${kind}</code></dt><dd>${renderInline(meaning)}</dd>\n`;
  });
  return html`<dl class="kinds">\n${rows}</dl>`;
}

const meaningOf = ({ responses }: Operation, status: string, kind: string): string =>
  responses[status]?.content['application/problem+json']?.examples?.[kind]?.description ?? '';
