import type { Nodes, Root } from 'mdast';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { listNodes, parseMdx, type SyntaxFault } from '../formats/mdx.ts';
import type { Framework, PageDialect } from '../frameworks/framework.ts';
import type { PageFormat } from '../page-extensions.ts';
import { blankCode } from '../pages/blank-code.ts';
import { findBlockFaults, findContainerFaults, findTagFaults } from './find-block-faults.ts';
import { type DataFault, findDataFault } from './find-data-faults.ts';
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

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkFrontmatter, ['yaml', 'toml']);

/** Quadratic for some hostile pages: call it in a thread. */
const parseMarkdown = (text: string): Root => parser.parse(text);

const maxExcerpt = 120;
/** Of any parser: hostile pages make long ones. */
const maxReason = 400;

interface Fix {
  reason: RegExp;
  line?: RegExp;
  /** `[1]` of `reason`, then the opening line, fill the blanks. */
  advise(match: string, fault: SyntaxFault, line: string): string;
}

/** The usual fix for each message of the parser. The first that matches counts. */
const fixes: readonly Fix[] = [
  { reason: /to create a comment in MDX/, advise: () => 'Write a comment as {/* … */}' },
  {
    reason: /before name, expected/,
    line: /<\s*[\d=-]/,
    advise: (_, __, line) => `Write ${escapeLess(line)}, or put it in code`,
  },
  { reason: /(?:to create a link in MDX)/, advise: () => 'Write a link as [text](url)' },
  {
    reason: /: Expected (?:a|the) closing tag (?:for )?`<\/?([^`>]+)>`/,
    advise: (name, { line }) => `Close </${name}>, opened at line ${line}, with a tag of the same indentation`,
  },
  {
    reason: /: Unexpected closing tag `<\/([^`>]*)>`, expected corresponding closing tag for `<([^`>]*)>`/,
    advise: (name) => `Close the inner tag before </${name}>`,
  },
  {
    reason: /: Unexpected closing slash `\/` in tag, expected an open tag first/,
    advise: () => 'Remove this closing tag, or add the opening one',
  },
  {
    reason: /expected a corresponding closing brace|Could not parse expression|content after expression/i,
    advise: () => 'Write \\{ for a brace that is text, or put it in code',
  },
  {
    reason: /before attribute value|in attribute value|in tag/,
    advise: () => 'Write values of attributes in double quotes',
  },
  {
    reason: /import\/exports|only import\/exports/,
    advise: () => 'A line that begins with import or export is JavaScript here',
  },
  { reason: /before name|in name|after name/, advise: () => 'Write &lt; for < that is text, or put it in code' },
];

/** The fault, the line as written, and the usual fix: one sentence each, all on one line. */
function describeFault(fault: SyntaxFault, text: string): string {
  const { reason, detail } = fault;
  const line = (text.split('\n')[fault.line - 1] ?? '').trim();
  const fix = fixes.find((each) => each.reason.test(reason) && (each.line?.test(line) ?? true));
  const match = fix?.reason.exec(reason)?.[1] ?? '';
  const excerpt = line.length > maxExcerpt ? `${line.slice(0, maxExcerpt)}…` : line;
  return [
    oneLine(detail === undefined ? reason : `${reason} (${detail})`),
    ...(excerpt === '' ? [] : [`The line: ${oneLine(excerpt)}`]),
    ...(fix ? [fix.advise(match, fault, line)] : []),
  ].join('. ');
}

const escapeLess = (line: string) => {
  const found = /<\s*[\d=-]\S{0,20}/.exec(line)?.[0] ?? '<';
  return `&lt;${found.slice(1)} for ${found}`;
};

const oneLine = (text: string) => text.slice(0, maxReason).replace(/\s+/g, ' ').replace(/\.$/, '');
