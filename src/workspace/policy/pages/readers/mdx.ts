import remarkComment from '@slorber/remark-comment';
import type { Nodes } from 'mdast';
import 'mdast-util-mdx';
import remarkFrontmatter from 'remark-frontmatter';
import remarkGfm from 'remark-gfm';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import type { Findings } from '../page-code.ts';
import { readElement } from './attributes.ts';
import type { Dialect } from './dialect.ts';
import { readFence } from './fences.ts';
import { readExpression, readJsxElement } from './jsx.ts';
import { readMarkdown } from './markdown.ts';
import { readModule } from './modules.ts';

const parser = unified()
  .use(remarkParse)
  .use(remarkMdx)
  .use(remarkGfm)
  .use(remarkFrontmatter, ['yaml', 'toml'])
  .use(remarkComment);

/** A page that is compiled to a module. Returns why it does not parse; then it is read as Markdown, each brace as an expression. */
export function readMdx(
  findings: Findings,
  text: string,
  { path, dialect: { components } }: { path: string; dialect: Dialect },
): string | undefined {
  const nodes: Nodes[] = [];
  const prepared = withoutHeadingIds(text);
  try {
    collectNodes(parser.parse(prepared), nodes);
  } catch (error) {
    readMarkdown(findings, prepared, { vue: false, braces: true, components });
    return error instanceof Error ? error.message : String(error);
  }
  const programs = nodes.flatMap((node) => (node.type === 'mdxjsEsm' && node.data?.estree) || []);
  const page = { text, ...readModule(findings, programs, { text, path, components }) };
  for (const node of nodes) {
    switch (node.type) {
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        readExpression(findings, node.data?.estree, node.value, page);
        break;
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        readJsxElement(findings, toElement(node, text), page);
        break;
      case 'code':
        readFence(findings, [node.lang, node.meta].filter(Boolean).join(' '), node.value);
        break;
      case 'link':
      case 'definition':
      case 'image':
        readElement(findings, { tag: null, attributes: [['href', node.url]] });
    }
  }
  return undefined;
}

/** A list, not recursion: hostile pages nest deeply. */
function collectNodes(root: Nodes, nodes: Nodes[]): void {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node);
    if ('children' in node) open.push(...node.children);
  }
}

type JsxNode = Extract<Nodes, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>;

function toElement(node: JsxNode, text: string) {
  const { start, end } = node.position ?? {};
  return {
    name: node.name,
    source: text.slice(start?.offset, end?.offset),
    attributes: node.attributes.map((attribute) => {
      if (attribute.type === 'mdxJsxExpressionAttribute') return { name: null, source: attribute.value };
      const { name, value } = attribute;
      if (typeof value !== 'object' || value === null) return { name, text: value ?? null };
      return { name, source: value.value, program: value.data?.estree };
    }),
  };
}

/** `# Title {#id}` of Docusaurus and others, which is no expression. Keeps every position but those in the rest of the line. */
function withoutHeadingIds(text: string): string {
  if (!text.includes('{#')) return text;
  const lines = text.split('\n');
  return lines
    .map((line) =>
      /^ {0,3}#{1,6}\s/.test(line) ? line.replace(/\{#[\w.:-]+\}\s*$/, (id) => ' '.repeat(id.length)) : line,
    )
    .join('\n');
}
