import type { SyntaxFault } from './parse-mdx.ts';

const mark = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(:{3,})[ \t]*(\S?)/;

/**
 * Containers, `::: tip` to `:::`, that are not closed or were not opened. A container is closed by as many colons or more.
 * `prose`: without code and comments. https://vitepress.dev/guide/markdown#custom-containers, https://docusaurus.io/docs/markdown-features/admonitions
 */
export function findContainerFaults(prose: string): SyntaxFault[] {
  const open: { length: number; line: number }[] = [];
  const faults: SyntaxFault[] = [];
  prose.split('\n').forEach((text, index) => {
    const [, colons, name] = mark.exec(text) ?? [];
    if (colons === undefined) return;
    const line = index + 1;
    if (name !== '') open.push({ length: colons.length, line });
    else if (open.at(-1) === undefined) faults.push({ reason: `${colons} closes a container that is not open`, line });
    else if (colons.length >= (open.at(-1)?.length ?? 0)) open.pop();
  });
  return [...faults, ...open.map(({ line }) => ({ reason: 'the container ::: is not closed by a line :::', line }))];
}
