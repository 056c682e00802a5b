import type { Program } from 'estree-jsx';

/** The names that the imports and exports of a page declare. */
export function listDeclared(programs: readonly Program[]): Set<string> {
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
