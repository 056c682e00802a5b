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

const containerMark = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(:{3,})[ \t]*([\w-]*)/;
/** They stand in other containers, and end with them. */
const group = /^(?:code-group|tabs?|steps|raw)$/;

interface Container {
  length: number;
  line: number;
  indentation: number;
  name: string;
  /** The first mark that is long enough closes all that is open, also where its writer meant an inner one. */
  mayBeClosed: boolean;
}

/**
 * Containers, `::: tip` to `:::`, that are not closed or were not opened. A container is closed by as many colons or more, or with its list.
 * `prose`: without code and comments. https://vitepress.dev/guide/markdown#custom-containers, https://docusaurus.io/docs/markdown-features/admonitions
 */
export function findContainerFaults(prose: string): SyntaxFault[] {
  const open: Container[] = [];
  const faults: SyntaxFault[] = [];
  prose.split('\n').forEach((text, index) => {
    const [, before = '', colons, name = ''] = containerMark.exec(text) ?? [];
    const indentation = text.length - text.trimStart().length;
    const isEnd = colons !== undefined && text.trimEnd().endsWith(colons);
    while (text.trim() !== '' && !isEnd && indentation < (open.at(-1)?.indentation ?? 0)) open.pop();
    if (colons === undefined) return;
    const { length } = colons;
    const inner = open.at(-1);
    if (!isEnd) open.push({ length, line: index + 1, indentation: before.length, name, mayBeClosed: false });
    else if (inner === undefined)
      faults.push({ reason: `${colons} closes a container that is not open`, line: index + 1 });
    else if (length >= inner.length) {
      open.pop();
      if (group.test(inner.name)) for (const outer of open) if (length >= outer.length) outer.mayBeClosed = true;
    }
  });
  const left = open.filter(({ mayBeClosed }) => !mayBeClosed);
  return [...faults, ...left.map(({ line }) => ({ reason: 'the container ::: is not closed by a line :::', line }))];
}
