import type { Nodes } from 'mdast';
import { parseMarkdown } from '../formats/markdown.ts';
import { listNodes, parseMdx, type SyntaxFault } from '../formats/mdx.ts';
import type { Framework, PageDialect } from '../frameworks/framework.ts';
import { blankCode } from '../pages/blank-code.ts';
import type { PageFormat } from '../pages/page-format.ts';
import { describeFault } from './describe-fault.ts';
import { findBlockFaults, findContainerFaults } from './find-block-faults.ts';
import { type DataFault, findDataFault } from './find-data-faults.ts';
import { findTagFaults } from './find-tag-faults.ts';
import { type Fence, listAsciiDocBlocks, listFences, listParsedFences, listRstBlocks } from './list-fences.ts';
import { listUndeclared, type UsedName } from './list-names.ts';

export interface PageSyntax {
  /** `message` includes the usual fix. */
  faults: (SyntaxFault & { message: string })[];
  /** Code that is data and does not parse. */
  data: DataFault[];
  /** In MDX: names that the page uses without declaring them. */
  undeclared: UsedName[];
}

/** Finds faults that keep the framework from showing the page as intended. Call it in a thread: hostile pages take quadratic time. */
export function readSyntax(
  text: string,
  options: { framework: Framework; isMdx: boolean; hasMath?: boolean; format?: PageFormat | undefined },
): PageSyntax {
  const { framework, isMdx, hasMath = false, format } = options;
  // Docutils and Asciidoctor show what they can of any text.
  const listBlocks = format === 'rst' ? listRstBlocks : format === 'asciidoc' ? listAsciiDocBlocks : undefined;
  if (listBlocks !== undefined)
    return { faults: [], data: listBlocks(text).flatMap((block) => findDataFault(block) ?? []), undeclared: [] };
  const dialect = framework.dialect ?? {};
  const { faults, nodes, fences } = isMdx ? readMdx(text, dialect, hasMath) : readMarkdown(text, dialect);
  const prose = dialect.blocks === undefined ? '' : blankCode(text, { isMdx }).prose;
  const found = [
    ...faults,
    ...(dialect.blocks === 'colons' ? findContainerFaults(prose) : []),
    ...(dialect.blocks === 'tags' ? findBlockFaults(prose) : []),
  ];
  return {
    faults: found.map((fault) => ({ ...fault, message: describeFault(fault, text) })),
    // Where a fence is open, nobody knows what is code.
    data: faults.length > 0 ? [] : fences.flatMap((fence) => findDataFault(fence) ?? []),
    undeclared: listUndeclared(nodes),
  };
}

interface Read {
  faults: SyntaxFault[];
  nodes: Nodes[];
  fences: Fence[];
}

function readMdx(text: string, { mdx, math, blocks }: PageDialect, hasMath: boolean): Read {
  const { root, fault } = parseMdx(text, {
    ...mdx,
    math: hasMath || math === 'always',
    directives: blocks === 'colons',
  });
  if (root === undefined) return { faults: [fault], nodes: [], fences: [] };
  const nodes = listNodes(root);
  const fences = listParsedFences(nodes, text);
  return { faults: findFenceFaults(fences, text), nodes, fences };
}

function readMarkdown(text: string, { vue }: PageDialect): Read {
  const drawn = blankDiagrams(text);
  const tags = vue === true ? findTagFaults(listNodes(parseMarkdown(drawn)), drawn) : [];
  const fences = listFences(text);
  return { faults: [...findFenceFaults(fences, text), ...tags], nodes: [], fences };
}

/** `@startuml` to `@enduml`: markdown-it-plantuml draws them, and they have no tags. Keeps all places. */
function blankDiagrams(text: string): string {
  if (!/^@start/m.test(text)) return text;
  let end: string | undefined;
  return text
    .split('\n')
    .map((line) => {
      const [, name] = /^@start(\w{1,20})\s*$/.exec(line) ?? [];
      if (name !== undefined) end ??= `@end${name}`;
      const isInside = end !== undefined;
      if (line.trimEnd() === end) end = undefined;
      return isInside ? ' '.repeat(line.length) : line;
    })
    .join('\n');
}

const findFenceFaults = (fences: readonly Fence[], text: string): SyntaxFault[] => {
  const lines = text.split('\n');
  return fences.flatMap(({ line, isClosed, swallowed }): SyntaxFault[] => {
    const opening = lines[line - 1]?.trim() ?? '';
    if (swallowed !== undefined) {
      const reason = 'the code fence is not closed before the next one opens';
      return [{ reason, line, opening, detail: `line ${swallowed} opens one inside of it`, stopsParser: !isClosed }];
    }
    return isClosed ? [] : [{ reason: 'the code fence is not closed', line, opening, stopsParser: true }];
  });
};
