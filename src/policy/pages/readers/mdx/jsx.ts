import type { JSXAttribute, JSXElement, JSXFragment, JSXSpreadAttribute, Node, Program } from 'estree-jsx';
import { collapse, type Findings } from '../../page-code.ts';
import { readElement } from '../attributes.ts';
import { type Evaluated, evaluate, listStrings, type Scope } from '../literals.ts';
import { addInclude } from '../templates.ts';
import { nameComponent } from '../vue.ts';

/** `name` null: a spread. `text` null: no value. */
type Attribute =
  | { name: string; text: string | null }
  | { name: string | null; source: string; program?: Node | null | undefined };

interface Element {
  /** null: a fragment. */
  name: string | null;
  source: string;
  attributes: readonly Attribute[];
}

/** A page, with the names that its module declares. */
export interface Page {
  text: string;
  /** Names that stand for data: images, pages, literals that the page exports. */
  data: ReadonlySet<string>;
  /** Components that the page may use: imported, declared in it, or of the framework. */
  components: ReadonlySet<string>;
}

export function readExpression(findings: Findings, program: Node | null | undefined, source: string, page: Page): void {
  if (evaluateProgram(findings, program, page) === undefined) addExpression(findings, source);
}

const addExpression = (findings: Findings, source: string): void => findings.add('expression', `{${collapse(source)}}`);

/** An empty expression holds a comment. */
function evaluateProgram(findings: Findings, node: Node | null | undefined, page: Page): Evaluated {
  if (!node) return undefined;
  if (node.type !== 'Program')
    return node.type === 'JSXEmptyExpression' ? { value: null } : evaluate(node, toScope(findings, page));
  const [statement] = (node satisfies Program).body;
  if (statement === undefined) return { value: null };
  return statement.type === 'ExpressionStatement' ? evaluate(statement.expression, toScope(findings, page)) : undefined;
}

export const toScope = (findings: Findings, page: Page): Scope => ({
  isAsset: (name) => page.data.has(name),
  readElement: (element) => readJsxTree(findings, element, page),
});

export function readJsxElement(findings: Findings, { name, source, attributes }: Element, page: Page): void {
  if (name === null) return;
  const plain: [string, string][] = [];
  for (const attribute of attributes) {
    if ('text' in attribute) plain.push([attribute.name, attribute.text ?? '']);
    else readAttribute(findings, attribute, { page, plain });
  }
  const root = name.split(/[.:]/)[0] ?? name;
  const isComponent = name.includes('.') || /^[^a-z]/.test(name);
  // What a component gets may be an attribute of its HTML, or an address in any name.
  readElement(findings, { tag: isComponent ? null : name, attributes: plain });
  if (name === 'script' || name === 'style') findings.add(name, source.replace(/^<[^>]*>|<\/[^<]*$/g, ''));
  if (name === 'include') addInclude(findings, '<include>', source.replace(/^<[^>]*>|<\/[^<]*$/g, ''));
  if (isComponent && !page.components.has(root))
    findings.add('component', nameComponent(root), { clue: `<${root}`, shown: `<${root}>` });
}

function readAttribute(
  findings: Findings,
  { name, source, program }: Extract<Attribute, { source: string }>,
  { page, plain }: { page: Page; plain: [string, string][] },
): void {
  const evaluated = name === null ? undefined : evaluateProgram(findings, program, page);
  if (evaluated === undefined || name === null) {
    addExpression(findings, source);
    if (name !== null) plain.push([name, '']);
    return;
  }
  const { value } = evaluated;
  if (typeof value !== 'object' || value === null) plain.push([name, String(value ?? '')]);
  else plain.push([name, ''], ...listStrings(value));
}

function readJsxTree(findings: Findings, root: JSXElement | JSXFragment, page: Page): void {
  const open: JSXElement['children'] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'JSXExpressionContainer')
      readExpression(findings, node.expression, slice(node.expression, page), page);
    if (node.type === 'JSXSpreadChild') addExpression(findings, slice(node, page));
    if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') continue;
    open.push(...node.children);
    if (node.type === 'JSXElement') {
      const { name, attributes } = node.openingElement;
      const source = slice(node, page);
      const named = slice(name, page);
      readJsxElement(
        findings,
        { name: named, source, attributes: attributes.map((each) => toAttribute(each, page)) },
        page,
      );
    }
  }
}

function toAttribute(attribute: JSXAttribute | JSXSpreadAttribute, page: Page): Attribute {
  if (attribute.type === 'JSXSpreadAttribute') return { name: null, source: slice(attribute, page) };
  const name = slice(attribute.name, page);
  const { value } = attribute;
  if (!value) return { name, text: null };
  if (value.type === 'Literal') return { name, text: String(value.value) };
  const program = value.type === 'JSXExpressionContainer' ? value.expression : value;
  return { name, source: slice(program, page), program };
}

/** MDX gives each node its place in the page. */
const slice = (node: { type: string }, { text }: Page): string =>
  'start' in node && 'end' in node && typeof node.start === 'number' && typeof node.end === 'number'
    ? text.slice(node.start, node.end)
    : node.type;
