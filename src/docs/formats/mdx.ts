import { createRequire } from 'node:module';
import type { Nodes, Root } from 'mdast';
import 'mdast-util-mdx';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { PageDialect } from '../frameworks/framework.ts';
import { blankHeadingIds } from './heading-ids.ts';

const require = createRequire(import.meta.url);
// Only some sites need them: they bring acorn and KaTeX, which are larger than everything else here.
const loadMdx = (): typeof import('remark-mdx') => require('remark-mdx');
const loadComments = (): typeof import('@slorber/remark-comment') => require('@slorber/remark-comment');
const loadMath = (): typeof import('remark-math') => require('remark-math');

interface MdxDialect extends NonNullable<PageDialect['mdx']> {
  math?: boolean;
  /** `:::note{.wide}`, `:a[text]{.wide}` */
  directives?: boolean;
}

/** Why a page does not parse. `reason` holds no places, so that it is the same after a move of the lines. */
export interface SyntaxFault {
  reason: string;
  /** Where the cause begins, for instance at the tag that is not closed. */
  line: number;
  /** Details for the reader only, such as other lines. */
  detail?: string;
  /** Nothing behind it was read. */
  stopsParser?: boolean;
  /** Of a fence: the line that opens it. */
  opening?: string;
}

type ParsedMdx = { root: Root; fault?: undefined } | { root?: undefined; fault: SyntaxFault };

/** Parses a page of MDX as the framework's own compiler does. Quadratic for some hostile pages: call it in a thread. */
export function parseMdx(text: string, { comments, headingIds, variables, math, directives }: MdxDialect): ParsedMdx {
  const parser = unified()
    .use(remarkParse)
    .use(loadMdx().default)
    .use(remarkGfm)
    .use(remarkFrontmatter, ['yaml', 'toml']);
  if (comments) parser.use(loadComments().default);
  if (math) parser.use(loadMath().default);
  try {
    const named = variables ? text.replace(variable, (written) => 'x'.repeat(written.length)) : text;
    const plain = directives
      ? named.replace(directive, (_, name: string, attributes: string) => name + 'x'.repeat(attributes.length))
      : named;
    return { root: parser.parse(headingIds ? blankHeadingIds(plain) : plain) };
  } catch (error) {
    return { fault: readFault(error, text) };
  }
}

/** A list, not recursion: hostile pages nest deeply. */
export function listNodes(root: Root): Nodes[] {
  const nodes: Nodes[] = [];
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node);
    if ('children' in node) open.push(...node.children.toReversed());
  }
  return nodes;
}

const place = /(?<!\s)\s*\((\d+):\d+(?:-\d+:\d+)?\)/g;

function readFault(error: unknown, text: string): SyntaxFault {
  if (!(error instanceof Error)) return { reason: String(error), line: 1, stopsParser: true };
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message;
  const reported = 'line' in error && typeof error.line === 'number' ? error.line : undefined;
  const opened = /^Expected (?:a|the) closing tag/.test(reason) ? Number(/\((\d+):/.exec(reason)?.[1]) : undefined;
  return {
    reason: `the page does not parse: ${reason.replace(place, '')}`,
    line: opened ?? reported ?? text.split('\n').length,
    stopsParser: true,
  };
}

/** https://github.com/micromark/micromark-extension-directive#syntax */
const directive = /((?<=[\s:]|^):[\w-]+(?:\[[^\]\n]{0,300}\])?)(\{[^{}\n]*\})/gm;
/** A name that JavaScript would take is an expression, too. */
const variable = /\{\{\w*-[\w-]*\}\}/g;
