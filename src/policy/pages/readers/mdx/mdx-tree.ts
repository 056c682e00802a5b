import type { Nodes } from 'mdast';
import type { Findings } from '../../page-code.ts';
import { readElement } from '../attributes.ts';
import { readFence } from '../fences.ts';
import { type Page, readExpression, readJsxElement } from './jsx.ts';

/** What any framework adds to MDX. */
export const guardedMdx = { comments: true, headingIds: true } as const;

export const listPrograms = (nodes: readonly Nodes[]) =>
  nodes.flatMap((node) => (node.type === 'mdxjsEsm' && node.data?.estree) || []);

/** All but the modules. */
export function readMdxNodes(findings: Findings, nodes: readonly Nodes[], page: Page): void {
  for (const node of nodes) {
    switch (node.type) {
      case 'mdxFlowExpression':
      case 'mdxTextExpression':
        readExpression(findings, node.data?.estree, node.value, page);
        break;
      case 'mdxJsxFlowElement':
      case 'mdxJsxTextElement':
        readJsxElement(findings, toElement(node, page.text), page);
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
