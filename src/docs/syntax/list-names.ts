import type { Expression, Program, Super } from 'estree-jsx';
import type { Nodes } from 'mdast';

export interface UsedName {
  kind: 'component' | 'name';
  name: string;
  line: number;
}

/** Components and bare names, `{name}` or `{name.of.it}`, that a page of MDX uses and does not declare. */
export function listUndeclared(nodes: readonly Nodes[]): UsedName[] {
  const programs = nodes.flatMap((node) => (node.type === 'mdxjsEsm' && node.data?.estree) || []);
  const declared = listDeclared(programs);
  return nodes.flatMap(listUsed).filter(({ name }) => !declared.has(name));
}

function listUsed(node: Nodes): UsedName[] {
  const line = node.position?.start.line ?? 1;
  switch (node.type) {
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return toName(node.data?.estree, line);
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return [
        ...toComponent(node.name, line),
        ...node.attributes.flatMap(({ value }) =>
          typeof value === 'object' && value !== null ? toName(value.data?.estree, line) : [],
        ),
      ];
    default:
      return [];
  }
}

/** Names in lower case are elements of HTML. */
function toComponent(name: string | null, line: number): UsedName[] {
  const [first = ''] = name?.split('.') ?? [];
  return /^[A-Z]/.test(first) || name?.includes('.') ? [{ kind: 'component', name: first, line }] : [];
}

/** Of the language, of browsers and of compilers of MDX. */
const isEverywhere = (name: string) =>
  /^(?:undefined|NaN|Infinity|props|React|window|document|process)$/.test(name) || name in builtIns;

const builtIns = { Array, Boolean, Date, Intl, JSON, Math, Number, Object, String };

function toName(program: Program | null | undefined, line: number): UsedName[] {
  const [statement] = program?.body ?? [];
  const name = statement?.type === 'ExpressionStatement' ? findRoot(statement.expression) : undefined;
  return name === undefined || isEverywhere(name) ? [] : [{ kind: 'name', name, line }];
}

/** `a` of `a` and of `a.b.c`. */
function findRoot(expression: Expression | Super): string | undefined {
  if (expression.type === 'MemberExpression') return findRoot(expression.object);
  return expression.type === 'Identifier' ? expression.name : undefined;
}

/** The names that the imports and exports of a page declare. */
function listDeclared(programs: readonly Program[]): Set<string> {
  const names = new Set<string>();
  for (const statement of programs.flatMap(({ body }) => body)) {
    if (statement.type === 'ImportDeclaration') {
      for (const { local } of statement.specifiers) names.add(local.name);
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const { exported } of statement.specifiers) if ('name' in exported) names.add(exported.name);
      for (const name of listNames(statement.declaration)) names.add(name);
    }
  }
  return names;
}

interface SyntaxNode {
  type: string;
}

const isNode = (value: unknown): value is SyntaxNode & Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** Of declarations and patterns: `const { a, b: [c] } = …` declares a and c. */
function listNames(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(listNames);
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Identifier':
      return typeof node.name === 'string' ? [node.name] : [];
    case 'VariableDeclaration':
      return listNames(node.declarations);
    case 'VariableDeclarator':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
      return listNames(node.id);
    case 'ObjectPattern':
      return listNames(node.properties);
    case 'ArrayPattern':
      return listNames(node.elements);
    case 'Property':
      return listNames(node.value);
    case 'AssignmentPattern':
      return listNames(node.left);
    case 'RestElement':
      return listNames(node.argument);
    default:
      return [];
  }
}
