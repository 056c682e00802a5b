import type { Nodes } from 'mdast';
import { parseMarkdown } from '../../../../docs/formats/markdown.ts';
import { listNodes, parseMdx } from '../../../../docs/formats/mdx.ts';
import type { Findings } from '../../page-code.ts';
import { readMarkdown } from '../markdown.ts';
import { guardedMdx, listPrograms, readMdxNodes } from './mdx-tree.ts';
import { readModule } from './modules.ts';

/**
 * A page of MDX that does not parse: as Markdown, each brace an expression. Its modules, and the blocks that parse alone, are also read as
 * they would be in a page that parses, so that a page has the same code before and after its repair.
 */
export function readBrokenMdx(
  findings: Findings,
  text: string,
  { path, components: builtIn }: { path: string; components: readonly string[] },
): void {
  const blocks = listBlocks(text);
  const modules = findModules(text, blocks);
  const programs = listPrograms(tryParse(keepOnly(text, modules)) ?? []);
  const { data, components } = readModule(findings, programs, { text, path, components: builtIn });
  const rest = cutOut(text, modules);
  for (const { start, end } of blocks) {
    const source = rest.slice(start, end);
    for (const line of source.split('\n')) {
      if (/^(import|export)\s/.test(line)) findings.add(line.startsWith('import') ? 'import' : 'export', line);
    }
    const nodes = tryParse(source);
    if (nodes !== undefined) readMdxNodes(findings, nodes, { text: source, data, components });
  }
  readMarkdown(findings, rest, { vue: false, braces: true, components: [...components] });
}

interface Span {
  start: number;
  end: number;
}

/** The blocks of the page, without code and front matter. */
function listBlocks(text: string): Span[] {
  return parseMarkdown(text).children.flatMap(({ type, position }) => {
    const [start, end] = [position?.start.offset, position?.end.offset];
    const isShown = ['code', 'yaml', 'toml'].includes(type) || start === undefined || end === undefined;
    return isShown ? [] : [{ start, end }];
  });
}

const maxParses = 60;

/** Imports and exports: each from the start of a block to the first blank line where it parses. */
function findModules(text: string, blocks: readonly Span[]): Span[] {
  const found: Span[] = [];
  let left = maxParses;
  for (const { start, end: blockEnd } of blocks) {
    if (start < (found.at(-1)?.end ?? 0) || !/^(import|export)\s/.test(text.slice(start, start + 7))) continue;
    for (let end = findBlank(text, blockEnd); left > 0; end = findBlank(text, end + 1)) {
      left -= 1;
      const nodes = tryParse(text.slice(start, end));
      if (nodes?.every(({ type }) => type === 'root' || type === 'mdxjsEsm')) {
        found.push({ start, end });
        break;
      }
      if (end === text.length || nodes !== undefined) break;
    }
  }
  return found;
}

/** Where the next blank line begins, or the text ends. */
function findBlank(text: string, from: number): number {
  const blank = /\n[^\S\n]*(?=\n)/g;
  blank.lastIndex = from;
  return blank.exec(text)?.index ?? text.length;
}

function tryParse(text: string): Nodes[] | undefined {
  const { root } = parseMdx(text, guardedMdx);
  return root && listNodes(root);
}

/** Both keep every position and every line. */
const cutOut = (text: string, spans: readonly Span[]): string =>
  spans.reduce((left, { start, end }) => left.slice(0, start) + blank(text.slice(start, end)) + left.slice(end), text);

const keepOnly = (text: string, spans: readonly Span[]): string =>
  spans.reduce((kept, { start, end }) => kept.slice(0, start) + text.slice(start, end) + kept.slice(end), blank(text));

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
