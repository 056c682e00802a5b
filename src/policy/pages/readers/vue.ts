import { collapse, type Findings } from '../page-code.ts';
import { listBraces } from './braces.ts';
import type { Dialect } from './dialect.ts';
import { isData } from './is-data.ts';

/** `{{ … }}` in the text of a page of Vue. */
export function readVueText(findings: Findings, text: string): void {
  for (const { inside } of listBraces(text, '{{', '}}')) {
    if (!isData(inside))
      findings.add('template', `{{ ${collapse(inside)} }}`, { clue: inside.trim().split(/\s/)[0] ?? '' });
  }
}

interface VueElement {
  tag: string;
  attributes: readonly (readonly [string, string])[];
}

export function readVueElement(
  findings: Findings,
  { tag, attributes }: VueElement,
  { components }: Pick<Dialect, 'components'>,
): void {
  readVueAttributes(findings, attributes);
  if (/[A-Z-]/.test(tag) && !components.includes(tag))
    findings.add('component', nameComponent(tag), { clue: `<${tag}`, shown: `<${tag}>` });
}

/** `:attribute`, `@event`, `#slot="…"` and `v-…` hold expressions. https://vuejs.org/api/built-in-directives.html */
export function readVueAttributes(findings: Findings, attributes: VueElement['attributes']): void {
  for (const [name, value] of attributes) {
    if (/^(v-|[:@#.])./.test(name) && value !== '' && !isData(value)) {
      findings.add('template', `${name}="${value}"`, { clue: name });
    }
    // An event without a value runs nothing; so does v-bind without one, which reads the name of its attribute.
    if (/^(:|v-bind)/.test(name) && value === '' && name !== ':') findings.add('template', name, { clue: name });
  }
}

/** One name for all spellings: `<DocBadge>`, `<doc-badge>`. */
export const nameComponent = (tag: string): string => tag.replaceAll('-', '').toLowerCase();
