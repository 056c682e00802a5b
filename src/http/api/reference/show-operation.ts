import { type Html, html } from '../../pages/html.ts';
import { type ApiDocument, type Media, meaningOfHeader, type Operation } from '../description/document-shape.ts';
import { renderInline, showCode, toJsonText } from './render-text.ts';
import { showFields, showSchema, showType } from './show-schema.ts';

/** In every answer, and explained once. */
const usualHeaders = ['x-request-id'];

type Response = Operation['responses'][string];

/** One operation, with its samples beside it. `server`: where requests go; null: it is a request that Pagewright sends. */
export function showOperation(listed: Listed, document: ApiDocument, server: string | null): Html {
  const { method, path, operation } = listed;
  const { operationId, summary, description, requestBody, responses } = operation;
  const answers = Object.entries(responses).filter(([status]) => status < '400');
  const problems = Object.entries(responses).filter(([status]) => status >= '400');
  return html`<section class="operation" aria-labelledby="${operationId}">
<div class="about">
<h3 id="${operationId}"><a href="#${operationId}">${renderInline(summary)}</a></h3>
<p class="address"><b class="method ${method.toLowerCase()}">${method}</b> <code>${path}</code></p>
${description !== undefined && html`<p>${renderInline(description)}</p>`}
${showParameters(operation)}
${requestBody && html`<h4>Body</h4>${showContent(requestBody.content, document, { isSent: server !== null })}`}
${server !== null && answers.map(([status, answer]) => showAnswer(status, answer, document))}
${problems.length > 0 && html`<h4>Problems</h4><ul class="problems">${listKinds(problems).map(([status, kind]) => html`<li><a href="#problem-${kind}"><b>${status}</b> ${kind}</a></li>`)}</ul>`}
</div>
<div class="samples">
${server !== null && html`<p>Request</p>${showCode(writeCurl(listed, server), `Request: ${summary}`)}`}
${requestBody && server === null && showExamples(requestBody.content, `${method} of ${path}`, summary)}
${answers.map(([status, { content }]) => showExamples(content, status, summary))}
</div>
</section>
`;
}

function showParameters({ parameters }: Operation): Html | false {
  if (parameters.length === 0) return false;
  const fields = parameters.map(({ in: place, name, required = false, description, schema }) => ({
    name,
    schema,
    isRequired: required,
    place,
    description,
  }));
  return html`<h4>Parameters</h4>${showFields(fields, { isSent: true })}`;
}

function showAnswer(status: string, { description, headers, content }: Response, document: ApiDocument): Html {
  const own = Object.entries(headers).filter(([name]) => !usualHeaders.includes(name));
  const fields = own.map(
    ([name, header]) =>
      html`<li><p class="field"><code>${name}</code></p><p>${renderInline(meaningOfHeader(header, document))}</p></li>`,
  );
  return html`<h4>${status}</h4><p>${renderInline(description)}</p>
${showContent(content, document, { isSent: false, isWhole: false })}
${own.length > 0 && html`<h5>Headers</h5><ul class="fields">${fields}</ul>`}`;
}

/** The type of the content. Its fields, too, if it has no name, or `isWhole`. */
function showContent(
  content: Record<string, Media>,
  document: ApiDocument,
  { isSent, isWhole = true }: { isSent: boolean; isWhole?: boolean },
): Html {
  const shown = Object.entries(content).map(([type, { schema }]) => {
    const named = schema && html`: ${schema.properties ? 'an object' : showType(schema)}`;
    const fields = schema && (isWhole || schema.properties !== undefined) && showSchema(schema, document, { isSent });
    return html`<p><code>${type}</code>${named}</p>\n${fields}`;
  });
  return html`${shown}`;
}

const showExamples = (content: Record<string, Media>, title: string, summary: string): Html =>
  html`${Object.entries(content).map(
    ([type, { example }]) =>
      example !== undefined &&
      html`<p>${title} <span class="type">${type}</span></p>${showCode(toJsonText(example), `${title}, ${type}: ${summary}`)}`,
  )}`;

/** The status and the kind of each problem, from the examples. */
export const listKinds = (responses: readonly (readonly [string, Response])[]): [string, string][] =>
  responses.flatMap(([status, { content }]) =>
    Object.keys(content['application/problem+json']?.examples ?? {}).map((kind): [string, string] => [status, kind]),
  );

export interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

const names: Record<string, string> = {
  projectId: '$PAGEWRIGHT_PROJECT',
  jobId: '$JOB',
  runId: '$RUN',
  webhookId: '$WEBHOOK',
};

/** The request as a command. */
function writeCurl({ method, path, operation }: Listed, server: string): string {
  const { parameters, requestBody, responses, security } = operation;
  const address = `${server}${path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => names[name] ?? name)}`;
  const body = requestBody?.content['application/json']?.example;
  const isKeyed = parameters.some(({ name }) => name === 'Idempotency-Key');
  const isStream = Object.values(responses).some(({ content }) => 'text/event-stream' in content);
  const options = [
    ...(security === undefined ? ['-H "Authorization: Bearer $PAGEWRIGHT_KEY"'] : []),
    ...(isStream ? ["-H 'Accept: text/event-stream'"] : []),
    ...(isKeyed ? ["-H 'Idempotency-Key: a-new-one-for-each-instruction'"] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ];
  const verb = method === 'GET' || body !== undefined ? '' : ` -X ${method}`;
  return [`curl${isStream ? ' -N' : ''}${verb} "${address}"`, ...options].join(' \\\n  ');
}
