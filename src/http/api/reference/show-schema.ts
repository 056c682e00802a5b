import { type Html, html } from '../../pages/html.ts';
import { nameOfSchema, type Schema } from '../description/document-shape.ts';

/** A text of the description, in which backticks are code. */
export const showText = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;

/** `Job`, `string or null`, `list of Message`. */
export function showType(schema: Schema): Html {
  const name = nameOfSchema(schema);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return join(choices.map(showType));
  if (schema.enum) return join(schema.enum.map((value) => html`<code>${String(value)}</code>`));
  if (schema.items) return html`list of ${showType(schema.items)}`;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'any value'];
  return join(types.map((type) => html`${type}`));
}

const join = (parts: readonly Html[]): Html => html`${parts.map((part, index) => html`${index > 0 && ' or '}${part}`)}`;

/** A row per field; nested objects become rows of their own, `source.ref`. */
export function showFields(schema: Schema): Html {
  const rows = listFields(schema, '');
  if (rows.length === 0) return html`<p>${showType(schema)}</p>`;
  return showTable(['Field', 'Type', 'Meaning'], rows);
}

function listFields({ properties = {}, required = [] }: Schema, prefix: string): Html[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const type = html`${showType(field)}${!required.includes(name) && html`<small>optional</small>`}`;
    const row = [html`<code>${path}</code>`, type, showText(field.description ?? '')];
    const [inner, suffix] = field.items ? [field.items, `${path}[].`] : [field, `${path}.`];
    return [row, ...listFields(inner, suffix)];
  });
}

export const showTable = (
  heads: readonly string[],
  rows: readonly (readonly Html[])[],
): Html => html`<div class="wide"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}
</tbody>
</table></div>`;
