import { type Html, html } from '../../pages/html.ts';
import type { ApiDocument, Media, Operation } from '../description/document-shape.ts';
import { showFields, showTable, showText, showType } from './show-schema.ts';

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

/** The description as one page: each operation with its parameters, body, answers and problems. */
export function showReference(document: ApiDocument): Html {
  const { info, servers, tags, components } = document;
  const operations = listOperations(document.paths);
  const events = listOperations(document.webhooks);
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag));
  return html`<p>${info.description}</p>
<p>Version ${info.version}, at ${servers.map(({ url }) => html`<code>${url}</code>`)}. The same as
<a href="/openapi.json">OpenAPI 3.1</a>, for programs.</p>
<p>Send a key of the project with each request: <code>Authorization: Bearer pagewright_…</code></p>
<nav aria-label="Contents">
${tags.map(({ name }) => showContents(name, ofTag(name)))}
${events.length > 0 && showContents('sent to webhooks', events)}
<p><a href="#problems">Problems</a> · <a href="#schemas">Schemas</a></p>
</nav>
${tags.map(
  ({ name, description }) => html`<h2 id="${name}">${name}</h2>
<p>${showText(description)}</p>
${ofTag(name).map(showOperation)}`,
)}
${events.length > 0 && html`<h2 id="sent">Sent to webhooks</h2>\n${events.map(showOperation)}`}
<h2 id="problems">Problems</h2>
<p>Every error is <code>application/problem+json</code> (RFC 9457). <code>type</code> is stable.</p>
${showProblems(operations)}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<h3 id="schema-${name}">${name}</h3>\n${showFields(schema)}\n`,
)}`;
}

const listOperations = (paths: ApiDocument['paths']): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

const showContents = (title: string, operations: readonly Listed[]): Html => html`<p>${title}</p>
<ul>
${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>\n`)}
</ul>
`;

function showOperation({ method, path, operation }: Listed): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const answers = Object.entries(responses).filter(([status]) => status < '400');
  const problems = Object.entries(responses).filter(([status]) => status >= '400');
  return html`<section aria-labelledby="${operationId}">
<h3 id="${operationId}">${summary}</h3>
<pre>${method} ${path}</pre>
${description !== undefined && html`<p>${showText(description)}</p>`}
${parameters.length > 0 && showParameters(parameters)}
${requestBody && html`<h4>Body</h4>\n${showContent(requestBody.content)}`}
${answers.map(
  ([status, answer]) =>
    html`<h4>${status}</h4>\n<p>${showText(answer.description)}</p>\n${showContent(answer.content)}`,
)}
${problems.length > 0 && html`<p>Problems: ${problems.map(([status, { description: title }]) => html`${status} ${title}. `)}</p>`}
</section>
`;
}

const showParameters = (parameters: Operation['parameters']): Html =>
  showTable(
    ['Parameter', 'Type', 'Meaning'],
    parameters.map(({ in: place, name, required, description, schema }) => [
      html`<code>${name}</code><small>${place}${!required && ', optional'}</small>`,
      showType(schema),
      showText(description ?? ''),
    ]),
  );

const showContent = (content: Record<string, Media>): Html =>
  html`${Object.entries(content).map(
    ([type, { schema, example }]) => html`<p><code>${type}</code>${schema && html`: ${showType(schema)}`}</p>
${schema?.properties && showFields(schema)}
${example !== undefined && html`<pre>${typeof example === 'string' ? example : JSON.stringify(example, null, 2)}</pre>`}
`,
  )}`;

/** Each kind once, from the examples of all operations. */
function showProblems(operations: readonly Listed[]): Html {
  const found = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, { content }]) =>
      Object.keys(content['application/problem+json']?.examples ?? {}).map((kind) => `${status} ${kind}`),
    ),
  );
  const rows = [...new Set(found)].sort().map((each) => {
    const [status = '', kind = ''] = each.split(' ');
    return [html`${status}`, html`<code>urn:pagewright:problem:${kind}</code>`];
  });
  return showTable(['Status', 'Type'], rows);
}
