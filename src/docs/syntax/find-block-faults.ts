import type { SyntaxFault } from '../formats/mdx.ts';

interface Block {
  name: string;
  line: number;
}

/** https://gitbook.com/docs/creating-content/blocks: the others may stand alone. */
const paired = /^(?:hint|tabs|tab|code|stepper|step|columns|column|content-ref|updates|update|if|expandable|prompt)$/;
const mark = /\{%-?[ \t]*(end)?([a-z][\w-]*)/g;

/** Blocks of GitBook, `{% hint %}` to `{% endhint %}`, that are not closed or were not opened. `prose`: without code and comments. */
export function findBlockFaults(prose: string): SyntaxFault[] {
  const open: Block[] = [];
  const faults: SyntaxFault[] = [];
  prose.split('\n').forEach((text, index) => {
    const line = index + 1;
    for (const [, end, name = ''] of text.matchAll(mark)) {
      if (end === undefined) open.push({ name, line });
      else faults.push(...close(open, name, line));
    }
  });
  return [...faults, ...open.filter(isPaired).map(reportOpen)];
}

function close(open: Block[], name: string, line: number): SyntaxFault[] {
  const index = open.findLastIndex((block) => block.name === name);
  if (index < 0) return [{ reason: `{% end${name} %} closes a block that is not open`, line }];
  return open.splice(index).slice(1).filter(isPaired).map(reportOpen);
}

const isPaired = ({ name }: Block) => paired.test(name);
const reportOpen = ({ name, line }: Block): SyntaxFault => ({
  reason: `the block {% ${name} %} is not closed by {% end${name} %}`,
  line,
});

const containerMark = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(:{3,})[ \t]*(\S?)/;

/**
 * Containers, `::: tip` to `:::`, that are not closed or were not opened. A container is closed by as many colons or more.
 * `prose`: without code and comments. https://vitepress.dev/guide/markdown#custom-containers, https://docusaurus.io/docs/markdown-features/admonitions
 */
export function findContainerFaults(prose: string): SyntaxFault[] {
  const open: { length: number; line: number }[] = [];
  const faults: SyntaxFault[] = [];
  prose.split('\n').forEach((text, index) => {
    const [, colons, name] = containerMark.exec(text) ?? [];
    if (colons === undefined) return;
    const line = index + 1;
    if (name !== '') open.push({ length: colons.length, line });
    else if (open.at(-1) === undefined) faults.push({ reason: `${colons} closes a container that is not open`, line });
    else if (colons.length >= (open.at(-1)?.length ?? 0)) open.pop();
  });
  return [...faults, ...open.map(({ line }) => ({ reason: 'the container ::: is not closed by a line :::', line }))];
}
