import { collapse, type Findings } from '../page-code.ts';
import { listBraces } from './braces.ts';
import type { Dialect } from './dialect.ts';
import { isData } from './is-data.ts';
import { nameComponent } from './vue.ts';

export function readBraceElement(
  findings: Findings,
  { tag, attributes }: { tag: string; attributes: readonly (readonly [string, string])[] },
  { components }: Pick<Dialect, 'components'>,
): void {
  const root = tag.split('.')[0] ?? tag;
  if (/^[A-Z]/.test(root) && !components.includes(root)) {
    findings.add('component', nameComponent(root), { clue: `<${root}`, shown: `<${root}>` });
  }
  // HTML cuts an expression at its first blank: what is left of it is still one.
  for (const [name, value] of attributes) {
    for (const text of [name, value])
      if (text.includes('{')) readBraces(findings, text.includes('}') ? text : `${text}}`);
  }
}

/** `{ … }` in text, as Svelte and MDX have it. */
export function readBraces(findings: Findings, text: string): void {
  for (const { inside } of listBraces(text, '{', '}')) {
    const source = inside.trim();
    const isComment = source.startsWith('/*') && source.indexOf('*/') === source.length - 2;
    if (source !== '' && !isComment && !isData(source)) findings.add('expression', `{${collapse(source)}}`);
  }
}
