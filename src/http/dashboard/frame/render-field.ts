import { type Html, html } from '../../pages/html.ts';

interface Field {
  name: string;
  label: string;
  /** The error of the value. */
  problem?: string | undefined;
  hint?: Html | string;
  /** Takes more of its row. */
  isLong?: boolean;
}

/** A labelled control with its hint and problem, which screen readers read with it. The first one with a problem has the focus. */
export function renderField(
  { name, label, problem, hint, isLong = false }: Field,
  control: (attributes: Html) => Html,
): Html {
  const described = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-problem`].filter(
    (id) => id !== false,
  );
  const attributes = html` id="${name}" name="${name}"${problem !== undefined && html` aria-invalid="true" autofocus`}${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }`;
  return html`<div class="field${isLong && ' long'}">
<label for="${name}">${label}</label>
${control(attributes)}
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${problem !== undefined && html`<p class="problem" id="${name}-problem" role="alert">${problem}</p>`}
</div>`;
}

export const renderOptions = (options: readonly (readonly [value: string, label: string])[], selected: string): Html =>
  html`${options.map(([value, label]) => html`<option value="${value}"${value === selected && html` selected`}>${label}</option>`)}`;
