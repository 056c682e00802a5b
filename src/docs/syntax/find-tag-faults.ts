import type { Nodes } from 'mdast';
import type { SyntaxFault } from '../formats/mdx.ts';
import { blankCode } from '../pages/blank-code.ts';
import { listTags, type Tag } from '../pages/list-tags.ts';

/** https://html.spec.whatwg.org/multipage/syntax.html#void-elements */
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

interface OpenTag {
  name: string;
  line: number;
}

/** Vue wants each tag closed, in order: https://vuejs.org/guide/essentials/template-syntax.html. `nodes`: of the page as Markdown. */
export function findTagFaults(nodes: readonly Nodes[], text: string): SyntaxFault[] {
  const prose = blankRaw(blankIndentedCode(blankCode(text, { isMdx: false }).prose, nodes));
  const open: OpenTag[] = [];
  const faults: SyntaxFault[] = [];
  let [line, at] = [1, 0];
  for (const tag of listTags(prose)) {
    if (prose[tag.start - 1] === '\\') continue;
    for (; at < tag.start; at += 1) if (prose[at] === '\n') line += 1;
    if (tag.isClosing) faults.push(...close(open, tag.name, line));
    else if (!empty.test(tag.name) && !closesItself(prose, tag)) open.push({ name: tag.name, line });
  }
  return [...faults, ...open.map(reportOpen)];
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

function close(open: OpenTag[], name: string, line: number): SyntaxFault[] {
  const index = open.findLastIndex((tag) => tag.name === name);
  if (index < 0) return [{ reason: `the closing tag </${name}> has no opening tag`, line }];
  return open.splice(index).slice(1).map(reportOpen);
}

const reportOpen = ({ name, line }: OpenTag): SyntaxFault => ({ reason: `the tag <${name}> is not closed`, line });
