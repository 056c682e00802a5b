import type { Nodes } from 'mdast';
import type { SyntaxFault } from '../formats/mdx.ts';
import { blankCode } from '../pages/blank-code.ts';
import { listTags, type Tag } from '../pages/list-tags.ts';

interface Opening {
  name: string;
  line: number;
}

/** What is open at a place, such as tags in tags. What an end closes around others leaves these open. */
function createNesting(
  describe: { open(name: string): string; end(name: string): string },
  isPaired = (_: string) => true,
) {
  const open: Opening[] = [];
  const faults: SyntaxFault[] = [];
  const reportOpen = (openings: readonly Opening[]) =>
    openings.flatMap(({ name, line }) => (isPaired(name) ? [{ reason: describe.open(name), line }] : []));
  return {
    open: (name: string, line: number) => open.push({ name, line }),
    close(name: string, line: number) {
      const index = open.findLastIndex((opening) => opening.name === name);
      if (index < 0) faults.push({ reason: describe.end(name), line });
      else faults.push(...reportOpen(open.splice(index).slice(1)));
    },
    finish: (): SyntaxFault[] => [...faults, ...reportOpen(open)],
  };
}

/** https://gitbook.com/docs/creating-content/blocks: the others may stand alone. */
const paired = /^(?:hint|tabs|tab|code|stepper|step|columns|column|content-ref|updates|update|if|expandable|prompt)$/;
const mark = /\{%-?[ \t]*(end)?([a-z][\w-]*)/g;

/** Blocks of GitBook, `{% hint %}` to `{% endhint %}`, that are not closed or were not opened. `prose`: without code and comments. */
export function findBlockFaults(prose: string): SyntaxFault[] {
  const blocks = createNesting(
    {
      open: (name) => `the block {% ${name} %} is not closed by {% end${name} %}`,
      end: (name) => `{% end${name} %} closes a block that is not open`,
    },
    (name) => paired.test(name),
  );
  for (const [index, text] of prose.split('\n').entries()) {
    for (const [, end, name = ''] of text.matchAll(mark)) {
      if (end === undefined) blocks.open(name, index + 1);
      else blocks.close(name, index + 1);
    }
  }
  return blocks.finish();
}

const containerMark = /^([ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(:{3,})[ \t]*([\w-]*)/;
/** They stand in other containers, and end with them. */
const group = /^(?:code-group|tabs?|steps|raw)$/;

interface Container extends Opening {
  length: number;
  indentation: number;
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

/** https://html.spec.whatwg.org/multipage/syntax.html#void-elements */
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** Vue wants each tag closed, in order: https://vuejs.org/guide/essentials/template-syntax.html. `nodes`: of the page as Markdown. */
export function findTagFaults(nodes: readonly Nodes[], text: string): SyntaxFault[] {
  const prose = blankRaw(blankIndentedCode(blankCode(text, { isMdx: false }).prose, nodes));
  const tags = createNesting({
    open: (name) => `the tag <${name}> is not closed`,
    end: (name) => `the closing tag </${name}> has no opening tag`,
  });
  let [line, at] = [1, 0];
  for (const tag of listTags(prose)) {
    if (prose[tag.start - 1] === '\\') continue;
    for (; at < tag.start; at += 1) if (prose[at] === '\n') line += 1;
    if (tag.isClosing) tags.close(tag.name, line);
    else if (!empty.test(tag.name) && !closesItself(prose, tag)) tags.open(tag.name, line);
  }
  return tags.finish();
}

function blankIndentedCode(prose: string, nodes: readonly Nodes[]): string {
  const lines = prose.split('\n');
  for (const { type, position } of nodes)
    if (type === 'code' && position) lines.fill('', position.start.line - 1, position.end.line);
  return lines.join('\n');
}

/** Scripts and styles hold no tags, nor do addresses of mail in angle brackets. */
const raw = /(<(script|style)\b[^<>]*>)([\s\S]*?)(?=<\/\2|$)|<[^\s<>@]+@[^\s<>@]+>/gi;

const blankRaw = (prose: string) =>
  prose.replace(raw, (whole, opening: string | undefined) => {
    const kept = opening ?? '';
    return kept + whole.slice(kept.length).replace(/[^\n]/g, ' ');
  });

const closesItself = (prose: string, { end }: Tag) => prose.slice(end - 2, end) === '/>';
