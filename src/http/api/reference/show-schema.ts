import { type Html, html } from '../../pages/html.ts';
import { type ApiDocument, nameOfSchema, resolveSchema, type Schema } from '../description/document-shape.ts';
import { renderInline } from './render-text.ts';

/** `Job`, `string or null`, `list of Message`. */
export function showType(schema: Schema): Html {
  const name = nameOfSchema(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return join(choices.map(showType));
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`;
  if (schema.enum) return join(schema.enum.map((value) => html`<code>${String(value)}</code>`));
  if (schema.items) return html`list of ${showType(schema.items)}`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any value'];
  return join(types.map((type) => html`${type}`));
}

const join = (parts: readonly Html[]): Html => html`${parts.map((part, index) => html`${index > 0 && ' or '}${part}`)}`;

interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  /** `header`, `query` or `path`, of a parameter. */
  place?: string;
  description?: string | undefined;
}

/** `isSent`: a caller sends them, and must know which are required. In answers, only what may be missing is marked. */
export const showFields = (fields: readonly Field[], { isSent }: { isSent: boolean }): Html =>
  html`<ul class="fields">
${fields.map((field) => showField(field, isSent))}</ul>`;

function showField(
  { name, schema, isRequired, place, description = schema.description }: Field,
  isSent: boolean,
): Html {
  const inner = schema.properties ? schema : schema.items?.properties ? schema.items : undefined;
  const limits = describeLimits(schema);
  return html`<li><p class="field"><code>${name}</code> <span class="type">${showType(schema)}</span>${place !== undefined && html` <span class="type">in ${place}</span>`}${isRequired && isSent && html` <span class="required">required</span>`}${!isRequired && html` <span class="type">optional</span>`}</p>
${description !== undefined && html`<p>${renderInline(description)}</p>`}
${limits !== '' && html`<p class="limits">${limits}</p>`}
${inner && html`<div class="inner">${showFields(listFields(inner), { isSent })}</div>`}
</li>
`;
}

/** The fields of an object. */
const listFields = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));

/** The fields of a schema, or what else it may be. */
export function showSchema(schema: Schema, document: ApiDocument, { isSent }: { isSent: boolean }): Html {
  const resolved = resolveSchema(schema, document);
  const fields = listFields(resolved);
  const own = fields.length > 0 ? showFields(fields, { isSent }) : html`<p>${showType(resolved)}</p>`;
  return html`${resolved.description !== undefined && html`<p>${renderInline(resolved.description)}</p>`}${own}`;
}

function describeLimits({ default: usual, minimum, maximum, minLength, maxLength }: Schema): string {
  const format = (count: number) => count.toLocaleString('en');
  const most = maximum === undefined || maximum >= 2 ** 31 - 1 ? undefined : maximum;
  return [
    usual === undefined ? '' : `Default: ${String(usual)}.`,
    minimum !== undefined && most !== undefined ? `${format(minimum)} to ${format(most)}.` : '',
    maxLength === undefined ? '' : `${format(minLength ?? 0)} to ${format(maxLength)} characters.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}
